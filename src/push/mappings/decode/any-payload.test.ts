import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { decodePayload } from './decode-payload.ts'
import { DecodeFault } from './text.ts'
import { DecodeStep, checkSteps } from './steps.ts'

const isStep = Compile(DecodeStep)

const charset = fc.constantFrom('utf-8', 'ISO-8859-15', 'windows-1252', 'UTF-16LE', 'nonsense')
const character = fc.constantFrom(',', ';', '"', "'", '\\', '\t', '|', '#', ' ', '\n', 'ä')
const options = { requiredKeys: [] }

const plainStep = fc.oneof(
  fc.constantFrom<DecodeStep>('json', 'ndjson', 'csv', 'xml', 'xml-rpc', 'gzip', 'base64', 'text'),
  fc.record({ charset }, options).map((text): DecodeStep => ({ ndjson: text })),
  fc
    .record(
      {
        charset,
        delimiter: character,
        quote: fc.oneof(character, fc.constant<false>(false)),
        escape: character,
        comment: character,
        header: fc.oneof(fc.boolean(), fc.array(fc.string(), { minLength: 1 })),
        skip: fc.nat(3),
        trim: fc.boolean(),
        ragged: fc.boolean(),
      },
      options,
    )
    .map((csv): DecodeStep => ({ csv })),
  fc
    .record({ charset, arrays: fc.array(fc.constantFrom('a', '*', 'a.b', '*.*')) }, options)
    .map((xml): DecodeStep => ({ xml })),
  fc.constant<DecodeStep>({ 'fixed-width': { columns: { a: [1, 3], b: [2, 900] } } }),
)

const step = fc.oneof(
  plainStep,
  fc.constant<DecodeStep>({ zip: { a: ['json'] } }),
  fc.constantFrom<DecodeStep>({ 'json-text': 'a' }, { 'json-text': '*.a' }, { 'json-text': '*' }),
  fc.constant<DecodeStep>({ at: 'a', steps: ['base64', 'gzip', 'json'] }),
)

const pieces = fc
  .array(
    fc.constantFrom(
      ...['{"a":', '"', '[', ']', '}', '1', ',', '\n', '\\', '\\u00', '\uFEFF', 'ä', '\0', ' '],
      ...['<a>', '</a>', '<a', ' b="', '&amp;', '&#x0;', '&', '<![CDATA[', ']]>', '<!--', '<?xml '],
      ...['encoding="x"?>', '<!DOCTYPE ', '<methodResponse>', '<params><param><value>', '<struct>'],
      ...['PK\u0001\u0002', 'PK\u0003\u0004', 'PK\u0005\u0006', 'eyJhIjoxfQ==', 'a,b\r\n1,2\r\n'],
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'latin1'))

const body = fc.oneof(
  pieces,
  pieces.map((bytes) => gzipSync(bytes)),
  fc.uint8Array({ maxLength: 100 }),
  fc.json().map((text) => Buffer.from(text)),
)

/** Faults of steps that no payload can pass. An empty payload may pass in spite of other faults. */
const isOrder = /needs bytes or a text|can be decoded only after|The last step/

describe('any payload, through any steps', () => {
  it('becomes a JSON value or a DecodeFault', () => {
    fc.assert(
      fc.property(body, fc.array(step, { maxLength: 4 }), (bytes, steps) => {
        expect(steps.every((one) => isStep.Check(one))).toBe(true)
        const told: unknown[] = []
        try {
          const value = decodePayload(bytes, steps, {
            maxBytes: 10_000,
            maxDepth: 10,
            reportBroken: (broken) => void told.push(broken),
          })
          expect(JSON.parse(JSON.stringify(value))).toEqual(value)
          expect(checkSteps(steps).filter(({ reason }) => isOrder.test(reason))).toEqual([])
        } catch (error) {
          if (!(error instanceof DecodeFault)) throw error
          expect(error.message).not.toBe('')
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is not modified', () => {
    const bytes = Buffer.from('[{"a":"[1]"}]')
    decodePayload(bytes, ['json', { 'json-text': '*.a' }], { maxBytes: 100, maxDepth: 10 })
    expect(bytes.toString()).toBe('[{"a":"[1]"}]')
  })
})
