import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePayload } from './decode-payload.ts'

const decode = (text: string | Uint8Array): unknown =>
  decodePayload(typeof text === 'string' ? Buffer.from(text) : text, ['xml-rpc'], {
    maxBytes: 1_000_000,
    maxDepth: 20,
  })

const response = (value: string) =>
  `<?xml version="1.0"?>
  <methodResponse><params><param><value>${value}</value></param></params></methodResponse>`

describe('xml-rpc', () => {
  it.each<[string, unknown]>([
    ['<i4>-7</i4>', -7],
    ['<int> 7 </int>', 7],
    ['<i8>9007199254740993</i8>', '9007199254740993'],
    ['<ex:i8 xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions">12</ex:i8>', 12],
    ['<double>-1.5e3</double>', -1500],
    ['<boolean>1</boolean>', true],
    ['<boolean>0</boolean>', false],
    ['<string> a &lt; b </string>', ' a < b '],
    ['<string/>', ''],
    ['untyped', 'untyped'],
    ['', ''],
    ['<dateTime.iso8601>20251210T13:45:54</dateTime.iso8601>', '2025-12-10T13:45:54'],
    ['<base64>\n SGFs\n bG8=\n</base64>', 'SGFsbG8='],
    ['<nil/>', null],
    ['<array><data/></array>', []],
    ['<struct/>', {}],
  ])('reads %s', (written, value) => {
    expect(decode(response(written))).toEqual(value)
  })

  it('reads structs in arrays, with whitespace between all elements', () => {
    expect(
      decode(
        response(`
        <array>
          <data>
            <value>
              <struct>
                <member> <name>Free</name> <value> <i4>54</i4> </value> </member>
                <member> <name>Name</name> <value>P5</value> </member>
              </struct>
            </value>
            <value><array><data><value><i4>1</i4></value></data></array></value>
          </data>
        </array>`),
      ),
    ).toEqual([{ Free: 54, Name: 'P5' }, [1]])
  })

  it('reads a call, with any number of params', () => {
    const param = '<param><value><i4>1</i4></value></param>'
    expect(
      decode(
        `<methodCall><methodName> push </methodName><params>${param}${param}</params></methodCall>`,
      ),
    ).toEqual({ methodName: 'push', params: [1, 1] })
    expect(decode('<methodCall><methodName>ping</methodName></methodCall>')).toEqual({
      methodName: 'ping',
      params: [],
    })
  })

  it('is refused with the details if it is a fault', () => {
    const member = (name: string, value: string) =>
      `<member><name>${name}</name><value>${value}</value></member>`
    const struct = member('faultCode', '<int>4</int>') + member('faultString', 'Too many')
    expect(() =>
      decode(
        `<methodResponse><fault><value><struct>${struct}</struct></value></fault></methodResponse>`,
      ),
    ).toThrow(
      'xml-rpc: the provider answered with a fault: {"faultCode":4,"faultString":"Too many"}',
    )
  })

  it.each([
    ['<html/>', /"html" is neither methodResponse nor methodCall/],
    ['<methodResponse/>', /has one param, or a fault/],
    ['<methodResponse><params><param/></params></methodResponse>', /"param" has no value/],
    [response('<i4>1.5</i4>'), /"1.5" is not a valid integer/],
    [response('<double>much</double>'), /"much" is not a valid number/],
    [response('<double>1e999</double>'), /is not a valid number/],
    [response('<boolean>yes</boolean>'), /"yes" is not a valid boolean/],
    [response('<date>1</date>'), /no type "date"/],
    [response('<i4>1</i4><i4>2</i4>'), /more than one type/],
    [response('<i4>1'), /not well-formed XML/],
    [response('<array><data><value>'.repeat(30)), /nested deeper than/],
  ])('is refused: %s', (text, message) => {
    expect(() => decode(text)).toThrow(message)
  })

  it('is decoded to the values that were written', () => {
    const text = fc.string({ unit: 'grapheme' }).map((written) => written.replace(/\p{C}/gu, ''))
    const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(values, (value) => {
        expect(decode(response(print(value)))).toEqual(value)
      }),
    )
  })
})

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function print(value: unknown): string {
  if (value === null) return '<nil/>'
  if (typeof value === 'number') return `<int>${String(value)}</int>`
  if (typeof value === 'boolean') return `<boolean>${value ? '1' : '0'}</boolean>`
  if (typeof value === 'string') return `<string>${escape(value)}</string>`
  if (Array.isArray(value)) {
    const values = value.map((one) => `<value>${print(one)}</value>`)
    return `<array><data>${values.join('')}</data></array>`
  }
  const members = Object.entries(value ?? {}).map(
    ([name, member]) =>
      `<member><name>${escape(name)}</name><value>${print(member)}</value></member>`,
  )
  return `<struct>${members.join('')}</struct>`
}
