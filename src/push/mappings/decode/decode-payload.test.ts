import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodePayload } from './decode-payload.ts'
import { DecodeFault } from './text.ts'
import type { BrokenItem, DecodeLimits } from './text.ts'
import type { DecodeStep } from './steps.ts'

const limits: DecodeLimits = { maxBytes: 100_000, maxDepth: 20 }

const decode = (body: string | Uint8Array, ...steps: DecodeStep[]) =>
  decodePayload(typeof body === 'string' ? Buffer.from(body) : body, steps, limits)

/** Decodes a body. Returns the value, and the items that were reported as broken. */
function decodeTold(body: string | Uint8Array, ...steps: DecodeStep[]) {
  const broken: BrokenItem[] = []
  const told = { ...limits, reportBroken: (one: BrokenItem) => void broken.push(one) }
  const value = decodePayload(typeof body === 'string' ? Buffer.from(body) : body, steps, told)
  return { value, broken }
}

function faultOf(run: () => unknown): DecodeFault {
  try {
    run()
  } catch (error) {
    if (error instanceof DecodeFault) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('json', () => {
  it('is one value, in the charset of its byte order mark or of the step', () => {
    expect(decode('\uFEFF{"ä":[1,null]}', 'json')).toEqual({ ä: [1, null] })
    expect(decode(Buffer.from('\uFEFF"ä"', 'utf16le'), 'json')).toBe('ä')
    expect(decode(Buffer.from('"ä"', 'latin1'), { json: { charset: 'ISO-8859-1' } })).toBe('ä')
  })

  it('is refused with line and column if it is invalid', () => {
    const fault = faultOf(() => decode('{"a": 1,\n"b" 2}', 'json'))
    expect(fault.message).toBe(
      "json, line 2, column 5: this is not valid JSON: Expected ':' after property name",
    )
    expect(fault.place).toEqual({ step: 'json', line: 2, column: 5 })
  })

  it('is refused with the line if its bytes are not text', () => {
    const bytes = Buffer.concat([Buffer.from('["a",\n"ä",\n"'), Buffer.of(0xe4), Buffer.from('"]')])
    expect(faultOf(() => decode(bytes, 'json')).message).toBe(
      'json, line 3: these bytes are not utf-8 text',
    )
  })

  it('is refused if nested too deeply, not counting brackets inside strings', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(decode(nested(20), 'json')).toBeDefined()
    expect(() => decode(nested(21), 'json')).toThrow(/nested deeper than 20 levels/)
    expect(decode(JSON.stringify(`"\\${nested(50)}`), 'json')).toBe(`"\\${nested(50)}`)
  })

  it('keeps a field __proto__ like any other', () => {
    const value = decode('{"__proto__":{"a":1}}', 'json')
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}')
  })
})

describe('ndjson', () => {
  it('is a list of the values of its lines', () => {
    expect(decode('1\r\n\n{"a":2}\n', 'ndjson')).toEqual([1, { a: 2 }])
    expect(decode('', 'ndjson')).toEqual([])
  })

  it('skips broken lines and reports them', () => {
    const bytes = Buffer.concat([Buffer.from('1\n{\n"'), Buffer.of(0xff), Buffer.from('"\n4')])
    expect(decodeTold(bytes, 'ndjson')).toEqual({
      value: [1, 4],
      broken: [
        { line: 2, reason: expect.stringMatching(/^ndjson, line 2.*: this is not valid JSON: /) },
        { line: 3, reason: 'ndjson, line 3: these bytes are not utf-8 text' },
      ],
    })
    expect(() => decode(bytes, 'ndjson')).toThrow(/line 2/)
  })
})

describe('a payload with too many broken items', () => {
  it('is refused as a whole', () => {
    const body = Buffer.from('x\n'.repeat(100_001))
    const reportBroken = () => undefined
    expect(() =>
      decodePayload(body, ['ndjson'], { maxBytes: 1_000_000, maxDepth: 20, reportBroken }),
    ).toThrow(/more than 100000 items of the payload are broken, such as ndjson, line 100001/)
  })
})

describe('text', () => {
  it('is decoded in its charset', () => {
    expect(decode(Buffer.of(0xa4), { text: { charset: 'ISO-8859-15' } })).toBe('€')
    expect(decode(Buffer.of(0x80), { text: { charset: 'windows-1252' } })).toBe('€')
    expect(decode(Buffer.from('€', 'utf16le'), { text: { charset: 'UTF-16LE' } })).toBe('€')
    expect(() => decode('x', { text: { charset: 'klingon' } })).toThrow(/no charset "klingon"/)
  })
})

describe('gzip', () => {
  it('is decompressed', () => {
    expect(decode(gzipSync('[1]'), 'gzip', 'json')).toEqual([1])
  })

  it('is refused if it expands beyond the limit or is invalid', () => {
    expect(() => decode(gzipSync(Buffer.alloc(100_001, 32)), 'gzip', 'text')).toThrow(
      /gzip: the payload has more than 100000 bytes, decompressed/,
    )
    expect(() => decode('[1]', 'gzip', 'json')).toThrow(/^gzip: this cannot be decompressed: /)
    expect(() => decode(gzipSync('[1]').subarray(0, 12), 'gzip', 'json')).toThrow(DecodeFault)
  })

  it('limits the total decompressed size of all parts of a payload', () => {
    const part = gzipSync(Buffer.alloc(60_000, 32)).toString('base64')
    const at: DecodeStep = { at: '*', steps: ['base64', 'gzip', 'text'] }
    expect(decode(JSON.stringify([part]), 'json', at)).toHaveLength(1)
    const two = JSON.stringify([part, part])
    expect(() => decodeTold(two, 'json', at)).toThrow(/more than 100000 bytes/)
  })
})

describe('base64', () => {
  it.each(['Pz8+Pz8/', 'Pz8-Pz8_', ' Pz8+\r\nPz8/\n', '"Pz8+Pz8/"'])('reads %j', (text) => {
    const steps: DecodeStep[] = text.startsWith('"') ? ['json', 'base64'] : ['base64']
    expect(decode(text, ...steps, 'text')).toBe('??>???')
  })

  it('needs no padding, and is refused with the cause if it is invalid', () => {
    expect(decode('MQ==', 'base64', 'text')).toBe('1')
    expect(decode('MQ', 'base64', 'text')).toBe('1')
    expect(() => decode('MQ.', 'base64', 'text')).toThrow(
      'base64: this is not valid base64: it has a "."',
    )
    expect(() => decode('MTExM', 'base64', 'text')).toThrow(/it is cut off/)
    expect(() => decode('M=Q=', 'base64', 'text')).toThrow(/it has a "="/)
  })
})

describe('a field', () => {
  const envelope = (rawdata: unknown) => JSON.stringify({ provider: 'p/d', rawdata })

  it('is decoded in place', () => {
    const packed = gzipSync('{"free":1}').toString('base64')
    const at: DecodeStep = { at: 'rawdata', steps: ['base64', 'gzip', 'json'] }
    expect(decode(envelope(packed), 'json', at)).toEqual({ provider: 'p/d', rawdata: { free: 1 } })
  })

  it('is left unchanged if it is not text or is missing', () => {
    const at: DecodeStep = { 'json-text': 'rawdata' }
    expect(decode(envelope({ free: 1 }), 'json', at)).toEqual({
      provider: 'p/d',
      rawdata: { free: 1 },
    })
    expect(decode('{"a":null}', 'json', at, { 'json-text': 'a' })).toEqual({ a: null })
  })

  it('may contain JSON text that contains JSON text', () => {
    const inner = JSON.stringify({ Payload: JSON.stringify({ state: 'free' }) })
    expect(
      decode(JSON.stringify([{ a: { 'b.c': inner } }]), 'json', {
        'json-text': ['*', 'a', 'b.c'],
      }),
    ).toEqual([{ a: { 'b.c': { Payload: '{"state":"free"}' } } }])
    expect(
      decode(
        envelope(inner),
        'json',
        { 'json-text': 'rawdata' },
        { 'json-text': 'rawdata.Payload' },
      ),
    ).toEqual({ provider: 'p/d', rawdata: { Payload: { state: 'free' } } })
  })

  it('that is broken removes its element from a list, and is reported with a pointer', () => {
    const body = JSON.stringify({ items: [{ 'a/b': '1' }, { 'a/b': '{' }, { 'a/b': '3' }] })
    expect(decodeTold(body, 'json', { 'json-text': 'items.*.a/b' })).toEqual({
      value: { items: [{ 'a/b': 1 }, { 'a/b': 3 }] },
      broken: [
        {
          line: 1,
          pointer: '/items/1/a~1b',
          reason: expect.stringMatching(/^json, at \/items\/1\/a~1b, .*: this is not valid JSON: /),
        },
      ],
    })
    expect(
      faultOf(() => decodeTold('{"a":"{"}', 'json', { 'json-text': 'a' })).place,
    ).toMatchObject({ pointer: '/a', step: 'json' })
  })

  it('requires a decoded payload', () => {
    expect(() => decode('{}', { 'json-text': 'a' })).toThrow(/must decode the payload before/)
  })
})

describe('fixed-width', () => {
  it('splits each line into its columns', () => {
    const body = Buffer.from('head\r\n3 ZH  Zürich\n\n3 BZ\n5 end\n', 'latin1')
    const step: DecodeStep = {
      'fixed-width': {
        charset: 'ISO-8859-1',
        columns: { code: [3, 5], name: [6, 20] },
        starts: '3',
        skip: 1,
      },
    }
    expect(decode(body, step)).toEqual([
      { code: 'ZH', name: 'Zürich' },
      { code: 'BZ', name: '' },
    ])
  })
})

describe('packet', () => {
  const packet: DecodeStep = {
    packet: { state: ['uint8', 2], battery: ['uint16be', 0], degrees: ['int16le', 3] },
  }

  it('is decoded to the numbers in its bytes', () => {
    const value = { state: 1, battery: 0x0e10, degrees: -5 }
    expect(decode('0e10 01 fbff', 'hex', packet)).toEqual(value)
    expect(decode(Buffer.of(0x0e, 0x10, 1, 0xfb, 0xff), packet)).toEqual(value)
  })

  it('is refused if it is too short or not hexadecimal', () => {
    expect(() => decode('0e1001', 'hex', packet)).toThrow(
      'packet: the packet has 3 bytes, too few for degrees',
    )
    expect(() => decode('0e1', 'hex', packet)).toThrow(/not bytes in hexadecimal digits/)
    expect(() => decode('xx', 'hex', packet)).toThrow(/not bytes in hexadecimal digits/)
  })
})

describe('steps', () => {
  it('must not end with bytes', () => {
    expect(() => decode('MQ==', 'base64')).toThrow(/bytes are left after the last step/)
  })

  it('refuse input that they cannot read', () => {
    expect(() => decode('[1]', 'json', 'gzip')).toThrow(
      'gzip: needs bytes or text, but gets a list',
    )
  })

  it('refuse a payload that is larger than the limit', () => {
    expect(() => decode(Buffer.alloc(100_001), 'text')).toThrow(/more than 100000 bytes/)
  })
})
