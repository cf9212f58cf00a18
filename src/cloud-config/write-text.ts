import { CloudConfigError } from './error.ts'

/** Never shows the value itself, which may be a password. */
export function unwritable(what: string, character: string | undefined, format: string): CloudConfigError {
  const code = character?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const trouble =
    code === undefined
      ? `is empty or not of the form that ${format} needs`
      : `holds the character U+${code}, which ${format} cannot hold`
  return new CloudConfigError('unwritable', `${what} ${trouble}`)
}

/** A comma list that splits back into exactly these names. */
export function joinNames(names: readonly string[], what: string): string {
  for (const name of names)
    if (name === '' || name !== name.trim() || name.includes(','))
      throw new CloudConfigError(
        'unwritable',
        `${what} cannot hold the name ${JSON.stringify(name)}: it is a comma list whose names have no commas and no blanks at their ends`,
      )
  return names.join(',')
}
