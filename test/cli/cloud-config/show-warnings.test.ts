import { describe, expect, it } from 'vitest'
import { vpd } from '../../support/io.ts'
import { configMap, INI } from './samples.ts'

const show = (text: string, ...flags: string[]) => vpd(['config', 'show', '-', ...flags], {}, { stdin: text })

describe('vpd config show -o json', () => {
  // Each of these warnings carries something more for checks.
  it.each([
    ['vcenter: {a: {server: x}, b: {server: x}, b: {server: x}}\nglobal: {user: u, password: p}\n', 'cpi', 4],
    [`${INI}[Nodes]\n`, 'cpi', 1],
    ['[Global]\nuser = u@d\npassword = p\n[VirtualCenter "v"]\n[VirtualCenter "v"]\ncolour = blue\n', 'csi', 2],
  ])('gives line, column and message of a warning, and nothing else', async (text, loader, count) => {
    const { warnings } = JSON.parse((await show(text, '-o', 'json', '--loader', loader)).stdout)
    expect(warnings).toHaveLength(count)
    for (const warning of warnings)
      expect(warning).toEqual({ line: expect.any(Number), column: expect.any(Number), message: expect.any(String) })
  })

  it('puts what was found before a refusal beside it', async () => {
    const text = 'Global: {user: u, password: p}\nvcenter:\n  v: {server: v}\n'
    const warning = { line: 1, column: 1, message: expect.stringContaining('did you mean global?') }
    const error = { reason: 'username-missing', line: 3, column: 3, message: expect.any(String) }
    expect(JSON.parse((await show(text, '-o', 'json')).stdout)).toEqual({ error, warnings: [warning] })
    expect(JSON.parse((await show(configMap(text), '-o', 'json')).stdout)).toEqual({
      error: { ...error, fileLine: 12 },
      warnings: [{ ...warning, fileLine: 10 }],
    })
  })
})
