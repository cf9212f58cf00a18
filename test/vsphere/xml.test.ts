import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Malformed } from '../../src/vsphere/vim/shape.ts'
import { fromXml, toXml } from '../../src/vsphere/vim/soap-values.ts'
import { parseXml } from '../../src/vsphere/vim/xml.ts'

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

describe('values in SOAP', () => {
  it.each<[string, string, unknown]>([
    ['text', '<val xsi:type="xsd:string">007</val>', '007'],
    ['text with blanks at both ends', '<val xsi:type="xsd:string"> a b </val>', ' a b '],
    [
      'entities',
      '<val xsi:type="xsd:string">&lt;a&gt; &amp; &quot;b&quot; &apos;c&apos; &#228;&#x1F600;</val>',
      '<a> & "b" \'c\' ä😀',
    ],
    ['CDATA', '<val xsi:type="xsd:string"><![CDATA[<a>&amp;]]></val>', '<a>&amp;'],
    ['a comment in between', '<val xsi:type="xsd:string">a<!-- <b> -->c</val>', 'ac'],
    ['true', '<val xsi:type="xsd:boolean">true</val>', true],
    ['1 for true', '<val xsi:type="xsd:boolean">1</val>', true],
    ['false', '<val xsi:type="xsd:boolean">false</val>', false],
    ['a number', '<val xsi:type="xsd:long">1099511627776</val>', 1_099_511_627_776],
    ['another prefix', '<val x:type="s:int">7</val>', 7],
    ['an enumeration', '<val xsi:type="VirtualMachinePowerState">poweredOn</val>', 'poweredOn'],
    [
      'a reference',
      '<val type="HostSystem" xsi:type="ManagedObjectReference">host-21</val>',
      { type: 'HostSystem', value: 'host-21' },
    ],
    ['an undeclared reference', '<obj type="HostSystem">host-21</obj>', { type: 'HostSystem', value: 'host-21' }],
    ['a list', '<val xsi:type="ArrayOfString"><string>a</string><string>b</string></val>', ['a', 'b']],
    ['a list of one', '<val xsi:type="ArrayOfString"><string>a</string></val>', ['a']],
    ['an empty list', '<val xsi:type="ArrayOfString"></val>', []],
    ['an object', '<val xsi:type="AboutInfo"><name>x</name></val>', { _typeName: 'AboutInfo', name: 'x' }],
    ['an object of which nothing is set', '<val xsi:type="AboutInfo"/>', { _typeName: 'AboutInfo' }],
    ['a field that repeats', '<v><a>1</a><b/><a>2</a><a>3</a></v>', { a: ['1', '2', '3'], b: '' }],
    ['a field of lists that repeats', '<v><a xsi:type="ArrayOfInt"><int>1</int></a><a>2</a></v>', { a: [['1'], '2'] }],
    ['nothing', '<val xsi:nil="true"/>', undefined],
    ['a > in an attribute', '<val a="x>y" xsi:type=\'xsd:int\'>7</val>', 7],
    ['a dangerous name', '<v><__proto__><x>1</x></__proto__></v>', JSON.parse('{"__proto__":{"x":"1"}}')],
  ])('%s', (_, xml, expected) => {
    expect(fromXml(parseXml(xml))).toEqual(expected)
  })

  it('come back as they were written', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    // XML has no way to say other control characters.
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[^\P{C}\n\r\t]/u.test(value))
    const value = fc.dictionary(name, text, { minKeys: 1, noNullPrototype: true })
    fc.assert(
      fc.property(value, (fields) => {
        expect(fromXml(parseXml(toXml('value', fields)))).toEqual(fields)
      }),
    )
  })

  it('are written in the order given, with types only where they are needed', () => {
    const ref = { _typeName: 'ManagedObjectReference', type: 'Folder', value: 'group-d1' }
    const spec = { _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view', skip: false }
    expect(toXml('p', { obj: ref, names: ['a&b', '"<c>"'], selectSet: [spec], none: undefined, many: [] })).toBe(
      '<p><obj type="Folder">group-d1</obj><names>a&#38;b</names><names>&#34;&#60;c&#62;&#34;</names>' +
        '<selectSet xsi:type="TraversalSpec"><type>ContainerView</type><path>view</path><skip>false</skip></selectSet></p>',
    )
  })
})

describe('XML that is refused', () => {
  it.each([
    ['nothing', ''],
    ['text', 'Service Unavailable'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an instruction', '<a><?php evil ?></a>'],
    ['an unknown entity', '<a>&b;</a>'],
    ['an ampersand alone', '<a>&</a>'],
    ['the character 0', '<a>&#0;</a>'],
    ['a character beyond Unicode', '<a>&#x110000;</a>'],
    ['crossed tags', '<a><b></a></b>'],
    ['an end without a start', '</a>'],
    ['a page', '<html><br></html>'],
    ['two roots', '<a/><b/>'],
    ['text after the root', '<a/>b'],
    ['an attribute without quotes', '<a b=c/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['a tag without a name', '<a>< b/></a>'],
    ['an open comment', '<a/><!-- '],
    ['open CDATA', '<a><![CDATA[x</a>'],
    ['very deep nesting', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`],
  ])('%s', (_, xml) => {
    expect(() => parseXml(xml)).toThrow(Malformed)
  })

  it('is every document that was cut short', () => {
    const document = `<?xml version="1.0"?>\n<s:E ${xsi}><a x="1">t&amp;<!-- c --><![CDATA[d]]></a><b/></s:E>`
    expect(parseXml(document).children).toHaveLength(2)
    for (let length = 0; length < document.length; length++) {
      expect(() => parseXml(document.slice(0, length)), document.slice(0, length)).toThrow(Malformed)
    }
  })

  it('is refused, and nothing worse happens, whatever it is', () => {
    const soup = fc.array(
      fc.constantFrom('<', '>', '/', 'a', '"', "'", '=', '&', ';', '#', '!', '--', '[CDATA[', ']]>', '?xml', ' '),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          soup.map((parts) => parts.join('')),
        ),
        (source) => {
          try {
            parseXml(source)
          } catch (error) {
            expect(error).toBeInstanceOf(Malformed)
          }
        },
      ),
    )
  })
})
