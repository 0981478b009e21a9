import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson } from '../decode.ts'
import { nearlyCanonical, whyForeign } from './foreign.ts'

const kinds = ['content', 'stations', 'measurements']
const why = (body: string | Buffer) => whyForeign(decodeJson(Buffer.from(body)), kinds)
const nearly = (body: string) => nearlyCanonical(Buffer.from(body), kinds)

describe('A body that nothing reads', () => {
  it.each([
    ['', { reason: 'is empty' }],
    [' \n ', { reason: 'is empty' }],
    [
      '{"kind":"station","items":[]}',
      { pointer: '/kind', reason: expect.stringMatching(/did you mean stations\?$/) },
    ],
    [
      '{"kind":7}',
      { pointer: '/kind', reason: expect.stringMatching(/^is no known kind; known: content/) },
    ],
    [
      '{"items":[]}',
      { pointer: '/kind', reason: expect.stringMatching(/^is required; known: content/) },
    ],
    ['[{"kind":"stations"}]', { reason: 'is no object with kind and items' }],
    ['{"kind":"stations","items":[', { line: 1, reason: expect.stringMatching(/^is not JSON: /) }],
    [
      '{"kind":"stations","items":[NaN]}',
      { line: 1, reason: expect.stringMatching(/^is not JSON: .*position|NaN/) },
    ],
    [Buffer.from('\uFEFF{"kind":"stations"}', 'utf16le'), { reason: 'is UTF-16 text; send UTF-8' }],
  ])('says why: %s', (body, expected) => {
    expect(why(body)).toMatchObject({ index: null, ...expected })
  })
})

describe('A body that was meant to be canonical', () => {
  it.each([
    ['{"kind":"station","items":[1]}', /did you mean stations\?$/],
    [
      '\n{"recorded":"x","items":[{"kind":"content"}],"kind":"measurement"}',
      /did you mean measurements\?$/,
    ],
    ['{"a":{"b":[{"c":"}"}]},"kind":"Contents"}\n{"kind":"content"}', /did you mean content\?$/],
    ['{"items":[{"Id":"a"}]}', /^is required/],
    [`{"items":[${'{"Id":"a"},'.repeat(20_000)}{}]}`, /^is required/],
  ])('is told by its beginning: %.60s', (body, reason) => {
    expect(nearly(body)).toMatchObject({
      index: null,
      pointer: '/kind',
      reason: expect.stringMatching(reason),
    })
  })

  it.each([
    ['{"kind":"stations","items":[]}'],
    [`{"items":[${'{"Id":"a"},'.repeat(20_000)}{}],"kind":"content"}`],
    ['{"data":{"kind":"station","items":[]}}'],
    ['{"items":7}'],
    ['[{"kind":"station"}]'],
    ['kind;items'],
    [''],
  ])('is not meant here: %.60s', (body) => {
    expect(nearly(body)).toBeUndefined()
  })

  it('finds the kind of any object, wherever it stands', () => {
    const key = fc.string().filter((name) => name !== 'kind' && name !== 'items')
    const members = fc.dictionary(key, fc.jsonValue())
    fc.assert(
      fc.property(members, members, fc.string({ maxLength: 20 }), (before, behind, kind) => {
        // No further member is called the same; numbers as names would be moved.
        const own = Object.entries(before).filter(
          ([name]) => !(name in behind) && !/^\d+$/.test(name),
        )
        const rest = Object.entries(behind).filter(([name]) => !/^\d+$/.test(name))
        const body = JSON.stringify(Object.fromEntries([...own, ['kind', kind], ...rest]))
        expect(nearly(body) === undefined).toBe(kinds.includes(kind))
      }),
    )
  })

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        nearlyCanonical(bytes, kinds)
        whyForeign(decodeJson(bytes), kinds)
      }),
    )
  })
})
