import { type Document, isScalar, visit } from 'yaml'

/** What is wrong with a document although it is good YAML: it cannot become plain values, or not safely. */
export function treeProblems(document: Document): { readonly at: number; readonly message: string }[] {
  const problems: { readonly at: number; readonly message: string }[] = []
  let aliases = 0
  visit(document, {
    Alias(_, alias, ancestors) {
      const at = alias.range?.[0] ?? 0
      aliases += 1
      // Each is looked up by walking the document, so many of them take long although they expand to little.
      if (aliases > mostAliases) {
        problems.push({ at, message: tooManyAliases })
        return visit.BREAK
      }
      const target = alias.resolve(document)
      if (target === undefined) problems.push({ at, message: 'this alias has no anchor (&name) before it' })
      else if (ancestors.includes(target)) problems.push({ at, message: 'this alias stands inside what it refers to' })
      return undefined
    },
    Pair(_, { key }) {
      // Libraries pass over this key in silence, and nothing in a settings file may be passed over.
      if (isScalar(key) && key.value === '__proto__') {
        problems.push({ at: key.range?.[0] ?? 0, message: 'unknown key "__proto__"' })
      }
    },
  })
  return problems
}

export const mostAliases = 100
export const tooManyAliases = `aliases (*name) would be expanded more than ${mostAliases} times; write the values out`
