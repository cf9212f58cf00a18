import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '../../src/config/index.ts'
import { load, messageOf, problemsOf, withDirectory } from './support.ts'

const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`),
].join('\n')

const tooManyAliases = 'aliases (*name) would be expanded more than 100 times; write the values out'

describe('a file that is no YAML mapping', () => {
  const empty = 'config.yaml: is empty; write {} to use every default, or name another file'
  const noMapping = 'expected a mapping of settings such as "http:"; write "key: value" lines'
  test.each<[string, string | Uint8Array, string]>([
    ['empty', '', empty],
    ['only comments', '# nothing\n', empty],
    ['null', '~', empty],
    ['a list', '\n- a', `config.yaml:2:1: ${noMapping}`],
    ['a word', 'hello', `config.yaml:1:1: ${noMapping}`],
    [
      'two documents',
      'log: {}\n---\nhttp: {}',
      'config.yaml:2:1: a second YAML document begins here; keep all settings in one and remove the "---"',
    ],
    ['a tab', 'log:\n\tlevel: info', 'config.yaml:2:1: a tab indents this line, which YAML does not allow; use spaces'],
    [
      'a tag',
      'log:\n  level: !env LEVEL',
      'config.yaml:2:10: tags such as "!name" are not supported; write the plain value',
    ],
    ['a set', 'log: !!set { level }', 'config.yaml:1:6: tags such as "!name" are not supported; write the plain value'],
    ['a key that is a list', '? [a]\n: b', 'config.yaml:1:3: a key must be plain text'],
    ['an open quote', 'log: "x', 'config.yaml:1:8: is not valid YAML: Missing closing "quote'],
    [
      'text after a quoted value',
      "password: 'it's hunter2'",
      'config.yaml:1:15: is not valid YAML: this does not fit what stands before it',
    ],
    [
      'a stray word',
      'log: {}\nhunter2\nhttp: {}',
      'config.yaml:2:1: is not valid YAML: a line without "key:" stands here',
    ],
    ['an alias without anchor', 'log: *x', 'config.yaml:1:6: this alias has no anchor (&name) before it'],
    ['an alias of itself', 'log: &x { level: *x }', 'config.yaml:1:18: this alias stands inside what it refers to'],
    ['aliases that multiply', bomb, `config.yaml:1:1: ${tooManyAliases}`],
    [
      'aliases by the hundred',
      `a: &a 1\nb: [${Array(101).fill('*a').join(', ')}]`,
      `config.yaml:2:405: ${tooManyAliases}`,
    ],
    ['brackets without end', '['.repeat(100_000), 'config.yaml:1:61: is nested too deeply for a settings file'],
    [
      'Latin-1',
      Buffer.from('log: {}\nhttp: { host: b\xfcro }', 'latin1'),
      'config.yaml:2:1: this line is not UTF-8 text; save the file as UTF-8',
    ],
    [
      'UTF-16',
      Buffer.from('\ufefflog: {}', 'utf16le'),
      'config.yaml:1:1: this line is not UTF-8 text; save the file as UTF-8',
    ],
    [
      'huge',
      '#'.repeat(1024 * 1024 + 1),
      'config.yaml: is larger than 1 MiB, which no settings file is; name the right file',
    ],
  ])('%s', (_, yaml, problem) => {
    expect(problemsOf({ yaml })).toEqual([problem])
  })
})

test('duplicate keys are reported beside everything else', () => {
  expect(problemsOf({ yaml: 'http: { port: 1 }\nlog: { level: loud }\nhttp: { port: web }' })).toEqual([
    'config.yaml:2:8 log.level: expected "trace", "debug", "info", "warn", "error" or "silent", got "loud"',
    'config.yaml:3:1: the key "http" is given twice in one mapping; keep one of them',
    'config.yaml:3:9 http.port: expected a whole number from 0 to 65535, got "web"',
  ])
})

describe('a file that cannot be read', () => {
  const messageIn = (prepare: (directory: string) => string) =>
    withDirectory((directory) =>
      messageOf(() => loadSettings({ file: prepare(directory), env: {}, flags: {} })).replaceAll(directory, '.'),
    ).split('\n')[0]

  test.each<[string, (directory: string) => string, string]>([
    [
      'missing',
      (d) => join(d, 'no.yaml'),
      './no.yaml: does not exist; create it (its least content is {}) or name another file',
    ],
    ['a directory', (d) => d, '.: is a directory; name the file inside it'],
    [
      'below a file',
      (d) => {
        writeFileSync(join(d, 'f'), '')
        return join(d, 'f', 'x')
      },
      './f/x: does not exist: a part of the path is a file, not a directory',
    ],
    [
      'a link to itself',
      (d) => {
        symlinkSync(join(d, 'l'), join(d, 'l'))
        return join(d, 'l')
      },
      './l: cannot be read: its symbolic links go round in a circle',
    ],
    ['endless', () => '/dev/zero', '/dev/zero: is larger than 1 MiB, which no settings file is; name the right file'],
    ['a name with NUL', () => 'a\0b', '"a\\u0000b": cannot be read: the name has a NUL character in it'],
  ])('%s', (_, prepare, message) => {
    expect(messageIn(prepare)).toBe(message)
  })

  test.skipIf(process.getuid?.() === 0)('no permission (cannot be tested as root)', () => {
    const forbidden = (directory: string) => {
      const file = join(directory, 'secret.yaml')
      writeFileSync(file, '{}')
      chmodSync(file, 0)
      return file
    }
    expect(messageIn(forbidden)).toBe(
      './secret.yaml: cannot be read: permission denied; let the user who runs this read it',
    )
  })
})

test('a byte order mark, CRLF and anchors are fine', () => {
  const { settings, positionOf } = load({ yaml: '\ufefflog: &a { level: debug }\r\nhttp: { port: 1 }\r\n' })
  expect(settings).toMatchObject({ log: { level: 'debug' }, http: { port: 1 } })
  expect(positionOf(['http', 'port'])).toEqual({ line: 2, column: 9 })
})

test('a link to a file is followed, as a mounted ConfigMap needs', () => {
  withDirectory((directory) => {
    mkdirSync(join(directory, 'data'))
    writeFileSync(join(directory, 'data', 'config.yaml'), 'http: { port: 7 }')
    symlinkSync(join(directory, 'data', 'config.yaml'), join(directory, 'config.yaml'))
    const { settings } = loadSettings({ file: join(directory, 'config.yaml'), env: {}, flags: {} })
    expect(settings.http.port).toBe(7)
  })
})

test('the message ends with what to do', () => {
  expect(
    messageOf(() => load({ yaml: 'a: 1' }))
      .split('\n')
      .at(-1),
  ).toBe('Correct this problem and start again; "vpd config schema" prints every setting with its meaning.')
})
