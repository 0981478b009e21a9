import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entitiesOf, toNaming } from '../../content/index.ts'
import { findUnstorable } from '../../lang/json.ts'
import { contentKind } from './content.ts'
import { canonicalPipeline, decodeJson, nearlyCanonical, whyForeign } from './pipeline.ts'

const kinds = ['content', 'stations', 'measurements']
const why = (body: string | Buffer) => {
  const bytes = Buffer.from(body)
  return whyForeign(bytes, decodeJson(bytes), kinds)
}
const nearly = (body: string) => nearlyCanonical(Buffer.from(body), kinds)

describe('A body that no pipeline reads', () => {
  it.each([
    ['', { reason: 'is empty' }],
    [' \n ', { reason: 'is empty' }],
    [
      '{"kind":"station","items":[]}',
      { pointer: '/kind', reason: expect.stringMatching(/did you mean stations\?$/) },
    ],
    [
      '{"kind":7}',
      { pointer: '/kind', reason: expect.stringMatching(/^is not a known kind; known: content/) },
    ],
    [
      '{"items":[]}',
      { pointer: '/kind', reason: expect.stringMatching(/^is required; known: content/) },
    ],
    ['[{"kind":"stations"}]', { reason: 'is not an object with kind and items' }],
    ['{"kind":"stations","items":[', { line: 1, reason: expect.stringMatching(/^is not JSON: /) }],
    [
      '{"kind":"stations","items":[NaN]}',
      { line: 1, reason: expect.stringMatching(/^is not JSON: .*position|NaN/) },
    ],
    [
      '\n{\n "kind": "stations",\n "items": [\n  {"code":"a"},\n  {"code":"b"}\n ],\n}',
      { line: 8, reason: expect.stringMatching(/^is not JSON: .*line 8/) },
    ],
    [
      '{\n "kind": "stations",\n "items": [\n  {"code":"a"},\n ]\n}\n',
      { line: 5, reason: expect.stringMatching(/^is not JSON: Unexpected token '\]'/) },
    ],
    [
      '{\n "kind": "stations",\n "items": [\n\n',
      { line: 3, reason: expect.stringMatching(/^is not JSON: Unexpected end/) },
    ],
    [Buffer.from('\uFEFF{"kind":"stations"}', 'utf16le'), { reason: 'is UTF-16 text; send UTF-8' }],
  ])('is reported with the reason: %s', (body, expected) => {
    expect(why(body)).toMatchObject({ index: null, ...expected })
  })
})

describe('A body that was probably meant to be canonical', () => {
  it.each([
    ['{"kind":"station","items":[1]}', /did you mean stations\?$/],
    [
      '\n{"recorded":"x","items":[{"kind":"content"}],"kind":"measurement"}',
      /did you mean measurements\?$/,
    ],
    ['{"a":{"b":[{"c":"}"}]},"kind":"Contents"}\n{"kind":"content"}', /did you mean content\?$/],
    ['{"items":[{"Id":"a"}]}', /^is required/],
    [`{"items":[${'{"Id":"a"},'.repeat(20_000)}{}]}`, /^is required/],
  ])('is recognized: %.60s', (body, reason) => {
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
  ])('is not recognized in: %.60s', (body) => {
    expect(nearly(body)).toBeUndefined()
  })

  it('is recognized at any position of its kind', () => {
    const key = fc.string().filter((name) => name !== 'kind' && name !== 'items')
    const members = fc.dictionary(key, fc.jsonValue())
    fc.assert(
      fc.property(members, members, fc.string({ maxLength: 20 }), (before, behind, kind) => {
        // No name occurs twice. Numbers as names are left out, because objects would move them to
        // the front.
        const own = Object.entries(before).filter(
          ([name]) => !(name in behind) && !/^\d+$/.test(name),
        )
        const rest = Object.entries(behind).filter(([name]) => !/^\d+$/.test(name))
        const body = JSON.stringify(Object.fromEntries([...own, ['kind', kind], ...rest]))
        expect(nearly(body) === undefined).toBe(kinds.includes(kind))
      }),
    )
  })

  it('may consist of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        nearlyCanonical(bytes, kinds)
        whyForeign(bytes, decodeJson(bytes), kinds)
      }),
    )
  })
})

const kind = contentKind(entitiesOf(toNaming('Hub')))
const pipeline = canonicalPipeline([kind])
const read = (body: string | Uint8Array) => {
  const reading = pipeline.read(Buffer.from(body))
  if (reading.kind === 'foreign') return reading
  return { ...reading, parts: [...reading.parts] }
}
const rejections = (message: object) => kind.check({ kind: 'content', ...message }).rejected

describe('the content format', () => {
  it('reports an unknown entity and suggests a similar one', () => {
    expect(rejections({ entity: 'Acommodation', items: [] })).toEqual([
      {
        index: null,
        pointer: '/entity',
        reason: 'is not an entity of this hub; did you mean Accommodation?',
      },
    ])
  })

  it.each([
    [{ entity: 'Accommodation', items: {} }, null, '/items'],
    [{ entity: 'Accommodation', items: [], delete: 'x' }, null, '/delete'],
    [{ items: [] }, null, '/entity'],
    [{ entity: 'Accommodation', itmes: [] }, null, '/itmes'],
    [{ entity: 'Accommodation', recorded: '2026-01-01T00:00:00Z' }, null, '/recorded'],
    [{ entity: 'Accommodation', items: [{ Id: 'a' }, {}] }, 1, '/items/1/Id'],
    [{ entity: 'Accommodation', items: ['text'] }, 0, '/items/0'],
    [{ entity: 'Accommodation', items: [{ Id: '' }] }, 0, '/items/0/Id'],
    [{ entity: 'Accommodation', items: [{ Id: '..' }] }, 0, '/items/0/Id'],
    [{ entity: 'Accommodation', items: [{ Id: 'a', Active: 'yes' }] }, 0, '/items/0/Active'],
    [
      { entity: 'Accommodation', items: [{ Id: 'a', LicenseInfo: { ClosedData: 'no' } }] },
      0,
      '/items/0/LicenseInfo/ClosedData',
    ],
    [{ entity: 'Accommodation', items: [{ Id: 'a', X: 'a\u0000b' }] }, 0, '/items/0/X'],
    [{ entity: 'Accommodation', items: [{ Id: 'a', X: [1, Infinity] }] }, 0, '/items/0/X/1'],
  ])('rejects %j with a pointer', (message, index, pointer) => {
    expect(rejections(message)).toContainEqual({ index, pointer, reason: expect.any(String) })
  })

  it('rejects only the invalid item among valid ones', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({ Id: `id${String(index)}` }))
    const broken = items.with(5_000, { Id: '' })
    expect(rejections({ entity: 'Accommodation', items: broken })).toHaveLength(1)
  })
})

describe('a very long list of invalid items', () => {
  it('is rejected in time, the first ten thousand with reasons, the rest counted', () => {
    const items = Array.from({ length: 200_000 }, () => 1)
    const started = performance.now()
    const found = kind.check({ kind: 'content', entity: 'Accommodation', items })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(found.rejected).toHaveLength(10_000)
    expect(found.unlisted).toBe(190_000)
  })
})

describe('the canonical pipeline', () => {
  it('reads one object, or one per line, and reports the line of a fault', () => {
    const good = '{"kind":"content","entity":"Accommodation","items":[]}'
    expect(read(good)).toMatchObject({ kind: 'read', parts: [{ rejected: [] }] })
    const bad = '{"kind":"content","entity":"Nothing","items":[]}'
    expect(read(`${good}\n\n${bad}\n`)).toMatchObject({
      kind: 'read',
      parts: [{ lines: [1], rejected: [] }, { rejected: [{ line: 3, pointer: '/entity' }] }],
    })
    expect(read(`${good}\n{"kind":"contents"}`)).toMatchObject({
      parts: [{ lines: [1], rejected: [] }, { rejected: [{ line: 2, pointer: '/kind' }] }],
    })
    expect(read(`${good}\n{"kind":"x"}\n{"kind":"x"}`)).toMatchObject({
      parts: [{}, { rejected: [{ line: 2 }, { line: 3 }] }],
    })
  })

  it.each(['', 'text', '[]', '{"a":1}', '{"kind":7}', '<xml/>'])('does not read %j', (text) => {
    expect(read(text).kind).toBe('foreign')
  })

  it('does not read bytes that are not UTF-8', () => {
    expect(read(Uint8Array.of(0x7b, 0xff)).kind).toBe('foreign')
  })

  it.each([
    ['{"kind":"content","entity":"Accommodation","items":[{"Id":"a"}],"items":[]}', '/items'],
    ['{ "kind" : "content", "kind":"content","entity":"Accommodation" }', '/kind'],
    [
      String.raw`{"delete":["\\","delete"],"kind":"content","entity":"Accommodation","d\u0065lete":[]}`,
      '/delete',
    ],
  ])('refuses an object with a field more than once: %s', (body, pointer) => {
    const fault = { index: null, pointer, reason: expect.stringMatching(/more than once/) }
    expect(read(body)).toMatchObject({ parts: [{ lines: [], rejected: [fault] }] })
    const good = '{"kind":"content","entity":"Accommodation","items":[{"Id":"items","Id":"kind"}]}'
    expect(read(`${good}\n${body}`)).toMatchObject({
      parts: [{ lines: [1], rejected: [] }, { rejected: [{ ...fault, line: 2 }] }],
    })
  })

  it('rejects a broken line next to a valid one, with the reason', () => {
    const good = '{"kind":"content","entity":"Accommodation","items":[]}'
    const reason = expect.stringMatching(/^is not JSON: /)
    expect(read(`${good}\n{"kind":"content",`)).toMatchObject({
      parts: [
        { lines: [1], rejected: [] },
        { lines: [], rejected: [{ index: null, line: 2, reason }] },
      ],
    })
  })
})

describe('findUnstorable', () => {
  it('finds lone surrogates, even in a name, and excessive depth', () => {
    expect(findUnstorable({ a: '\ud800' }, '')).toMatchObject({ pointer: '/a' })
    expect(findUnstorable({ '\udc00': 1 }, '')).toBeDefined()
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(findUnstorable(deep, '')).toMatchObject({ reason: expect.stringContaining('nested') })
    expect(findUnstorable({ a: [{ b: 'fine 🏔' }], 'x/y~z': null }, '')).toBeUndefined()
  })
})
