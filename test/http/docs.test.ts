import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingsJsonSchema } from '../../src/config/index.ts'
import { serverOf } from './support.ts'

const page = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(\/\S*)` \| (GET|POST) \| .* \| (yes)? ?\|$/gm)].map(
  ([, path = '', method = '', open]) => ({ path, method, open: open === 'yes' }),
)

it('every path of the table is there, and is open or not as it says', async () => {
  const gate = { judge: async () => ({ kind: 'stranger' as const }), undecided() {} }
  expect(rows.length).toBeGreaterThan(6)
  for (const { path, method, open } of rows) {
    const answer = await serverOf({}, { gate }).inject({ method: method as 'GET' | 'POST', url: path })
    expect([path, answer.statusCode]).toEqual([path, open ? 200 : 401])
  }
})

it('every path of the server is in the table', () => {
  const served = routesIn(serverOf().printRoutes({ commonPrefix: false }))
  expect(served.sort()).toEqual(rows.map(({ path, method }) => `${method} ${path}`).sort())
})

/** The routes of a printed tree, in which each line has what its path adds to that of its parent. */
function routesIn(tree: string): string[] {
  const parents: string[] = []
  return [...tree.matchAll(/^(.*?)[├└]── (\S+) \((\w+)/gm)].map(([, indent = '', part = '', method = '']) => {
    const depth = indent.length / 4
    parents[depth] = (parents[depth - 1] ?? '') + part
    return `${method} ${parents[depth]}`
  })
}

it('the settings that it shows are settings', () => {
  const [settings = ''] = [...page.matchAll(/```yaml\n(http:.*?)```/gs)].map(([, text]) => text)
  const { tls } = parse(settings).http
  const schema = JSON.stringify(settingsJsonSchema())
  for (const key of Object.keys(tls)) expect(schema).toContain(`"${key}"`)
})
