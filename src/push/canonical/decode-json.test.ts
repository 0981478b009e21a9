import { describe, expect, it } from 'vitest'
import { decodeJson } from './pipeline.ts'

const value = (value: unknown, line?: number) => ({ kind: 'value', value, line })
const broken = (reason: RegExp, line: number) => ({
  kind: 'broken',
  reason: expect.stringMatching(reason),
  line,
})

describe('the JSON values of a message', () => {
  it('are one value, which may span many lines', () => {
    expect(decodeJson(Buffer.from('{\n "a": 1\n}'))).toEqual([value({ a: 1 })])
    for (const blank of ['', '\n', '\r\n', '\n \t\n\n']) {
      expect(decodeJson(Buffer.from(`\uFEFF{"a":1}${blank}`))).toEqual([value({ a: 1 })])
    }
  })

  it('are one per line as soon as anything follows the first one', () => {
    expect(decodeJson(Buffer.from('1\n\u00A0'))).toEqual([value(1, 1)])
    expect(decodeJson(Buffer.from('\n1\n2'))).toEqual([value(1, 2), value(2, 3)])
  })

  it('are one per line, without empty lines, for any line ending', () => {
    expect(decodeJson(Buffer.from('1\r\n\n"ä"\n \n3'))).toEqual([
      value(1, 1),
      value('ä', 3),
      value(3, 5),
    ])
  })

  it('are kept if other lines are not valid JSON or not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('1\n{'),
      Buffer.of(0x0a, 0xff, 0x0a),
      Buffer.from('2'),
    ])
    expect(decodeJson(bytes)).toEqual([
      value(1, 1),
      broken(/^is not JSON: /, 2),
      broken(/^is not UTF-8 text$/, 3),
      value(2, 4),
    ])
  })

  it('are an empty list for an empty body', () => {
    expect(decodeJson(Buffer.from(''))).toEqual([])
    expect(decodeJson(Buffer.from(' \n\n'))).toEqual([])
  })
})
