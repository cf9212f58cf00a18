import fc from 'fast-check'

/** Texts that some reader or other takes for something else. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    'DOMAIN\\user',
    "it's",
    'a#b',
    '#',
    ';',
    'a ; b',
    ' leading',
    'trailing ',
    '\t',
    'a\nb',
    '0123',
    '1e3',
    '0x10',
    '12:34:56',
    '1.50',
    'yes',
    'no',
    'on',
    'y',
    'true',
    'null',
    '~',
    '',
    '[x]',
    '{x}',
    '*a',
    '&a',
    '!a',
    '@a',
    '`a',
    '%a',
    '- a',
    '? a',
    'a: b',
    '<<',
    '=',
    'é',
    '✓',
    '𝔘',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u007f',
    '$(x)',
    '2001-01-01',
    '.inf',
    '---',
    '...',
    '__proto__',
    'constructor',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** What INI can hold: everything without CR and NUL. */
export const iniText: fc.Arbitrary<string> = hostile.map((text) => text.replace(/[\r\0]/g, ''))

/** What a section header can hold. */
export const iniName: fc.Arbitrary<string> = iniText
  .map((text) => text.replaceAll('\n', ''))
  .filter((text) => text !== '')

/** A name inside a comma list. */
export const listName: fc.Arbitrary<string> = iniText
  .map((text) => text.replaceAll(',', '').trim())
  .filter((text) => text !== '')
