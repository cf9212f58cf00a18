export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** Reads a page of Prometheus' text format as strictly as the tests need: every line has to be one that it knows. */
export function parseExposition(page: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>()
  const helps = new Map<string, string>()
  if (!page.endsWith('\n')) throw new Error('The last line has no end.')
  for (const line of page.split('\n').filter((text) => text !== '')) {
    const [, kind, about = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') helps.set(about, rest)
    else if (kind === 'TYPE') {
      if (families.has(about)) throw new Error(`${about} is there twice.`)
      families.set(about, { name: about, type: rest, help: helps.get(about) ?? '', samples: [] })
    } else {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{([^\n]*)\})? (\S+)$/.exec(line) ?? []
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
      if (family === undefined) throw new Error(`This belongs to nothing: ${line}`)
      family.samples.push({ labels: parseLabels(labels), value: Number(value) })
    }
  }
  return families
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  const pair = /(\w+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
  while (pair.lastIndex < text.length) {
    const at = pair.lastIndex
    const [, name, written] = pair.exec(text) ?? []
    if (name === undefined || written === undefined) throw new Error(`These are no labels: ${text.slice(at)}`)
    labels[name] = written.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
  }
  return labels
}
