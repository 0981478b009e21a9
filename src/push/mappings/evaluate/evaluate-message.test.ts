import { describe, expect, it } from 'vitest'
import { loaded } from '../../../../test/fixtures/loaded-mapping.ts'
import type { Definition } from '../definition/definition.ts'
import { ExpressionFault, WholeFault } from '../faults.ts'
import type { SourceRejection } from '../faults.ts'
import { compileExpression, compileMapping } from './compile-mapping.ts'
import { evaluateMessage, mergeLanguages } from './evaluate-message.ts'

const expression = (text: string) => compileExpression(text, {}, { milliseconds: 1000, depth: 100 })

const merge = { by: expression('id'), language: expression('lang') }

describe('mergeLanguages', () => {
  it('rejects a second item for the same entity and language, and keeps the first', async () => {
    const items = [
      { id: 1, lang: 'de', name: 'Bozen' },
      { id: 1, lang: 'it', name: 'Bolzano' },
      { id: 1, lang: 'de', name: 'Brixen' },
      { id: 2, lang: 'de', name: 'Meran' },
    ]
    const [first, again, second, ...more] = await mergeLanguages(items, merge)
    expect(first).toEqual({
      key: '1',
      languages: { de: items[0], it: items[1] },
      first: items[0],
    })
    expect(again).toBeInstanceOf(ExpressionFault)
    expect(again).toMatchObject({ message: 'merge: describes "1" in "de" twice' })
    expect(second).toEqual({ key: '2', languages: { de: items[3] }, first: items[3] })
    expect(more).toEqual([])
  })

  it('also rejects it in a list for one language', async () => {
    const lists = { de: [{ id: 'a' }, { id: 'a' }], it: [{ id: 'a' }] }
    expect(await mergeLanguages(lists, { by: merge.by, language: undefined })).toEqual([
      { key: 'a', languages: { de: { id: 'a' }, it: { id: 'a' } }, first: { id: 'a' } },
      expect.any(ExpressionFault),
    ])
  })

  it('keeps a language with any name', async () => {
    const items = ['__proto__', 'constructor'].map((lang) => ({ id: 'a', lang }))
    const [merged] = await mergeLanguages(items, merge)
    expect(JSON.parse(JSON.stringify(merged))).toMatchObject({ key: 'a' })
    expect(JSON.stringify(merged)).toContain('"languages":{"__proto__":{"id":"a"')
    expect(JSON.stringify(merged)).toContain('"constructor":{"id":"a"')
  })
})

const context = {
  ...{ stream: 'a/b', provider: 'a', dataset: 'b' },
  ...{ received: '2026-11-20T10:00:00.000Z', contentType: 'x/y' },
}

type Mapping = Parameters<typeof loaded>[0]

/** Evaluates a mapping. Returns the result of each item, and the rejections. */
async function run(
  mapping: Mapping,
  payload: unknown,
  more: Parameters<typeof loaded>[1] & { readonly from?: number; readonly isFirst?: boolean } = {},
) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  const { from = 0, isFirst = from === 0, ...given } = more
  let time = 0
  const clock = () => (time += 7)
  const work = { body, context, from, isFirst, isCareful: false }
  const objects: unknown[] = []
  const rejected: SourceRejection[] = []
  let slices = 0
  try {
    const made = evaluateMessage(compileMapping(loaded(mapping, given)), work, {
      maxBytes: 1e6,
      clock,
    })
    for await (const slice of made) {
      slices += 1
      objects.push(...JSON.parse(`[${slice.objects}]`))
      rejected.push(...slice.rejected)
    }
    return { objects: objects.slice(from > 0 ? 0 : 1), before: objects[0], rejected, slices }
  } catch (error) {
    if (error instanceof WholeFault) return { whole: error.rejected }
    throw error
  }
}

describe('A mapping', () => {
  it('uses the elements of an array as items, or any other value as the only item', async () => {
    expect(await run({ each: '{"n": n}' }, [{ n: 1 }, { n: 2 }])).toMatchObject({
      objects: [
        [0, [{ n: 1 }]],
        [1, [{ n: 2 }]],
      ],
    })
    expect(await run({ each: '{"n": n}' }, { n: 1 })).toMatchObject({ objects: [[0, [{ n: 1 }]]] })
    expect(
      await run({ each: '{"n": $}', items: 'list[$ > 1]' }, { list: [1, 2, 3] }),
    ).toMatchObject({
      objects: [
        [0, [{ n: 2 }]],
        [1, [{ n: 3 }]],
      ],
    })
    expect(await run({ each: '1', items: 'list' }, {})).toMatchObject({ objects: [], rejected: [] })
  })

  it('skips items without a result', async () => {
    expect(await run({ each: 'n > 1 ? {"n": n}' }, [{ n: 1 }, { n: 2 }])).toMatchObject({
      objects: [
        [0, []],
        [1, [{ n: 2 }]],
      ],
      rejected: [],
    })
  })

  it('rejects items that fail, with position and reason, and keeps the others', async () => {
    const each = '$ = 2 ? $error("is odd") : $ = 3 ? $sum("x") : {"n": $}'
    expect(await run({ each }, [1, 2, 3, 4])).toMatchObject({
      objects: [
        [0, [{ n: 1 }]],
        [3, [{ n: 4 }]],
      ],
      rejected: [
        { source: 1, reason: expect.stringMatching(/^each: line 1, column 1\d: is odd$/) },
        { source: 2, reason: expect.stringContaining('sum') },
      ],
    })
  })

  it('can read the payload, message and position, and only the time of the message', async () => {
    const each = '[{"k": $payload.k, "m": $message, "i": $index, "now": $now(), "ms": $millis()}]'
    expect(await run({ each, items: 'list' }, { k: 1, list: ['a'] })).toMatchObject({
      objects: [
        [0, [{ k: 1, m: context, i: 0, now: context.received, ms: Date.parse(context.received) }]],
      ],
    })
  })

  it('formats the time of the message as requested', async () => {
    const each =
      '{"n": $now("[Y0001]-[M01]-[D01] [H01]:[m01]", "+0200"), "ms": $now(), "z": $now("[H1][Z]")}'
    expect(await run({ each }, [1])).toMatchObject({
      objects: [[0, [{ n: '2026-11-20 12:00', ms: context.received, z: '10+00:00' }]]],
    })
    expect(await run({ each: '$now("[Q]")' }, [1])).toMatchObject({
      rejected: [{ source: 0, reason: expect.not.stringMatching(/line.*line/) }],
    })
  })

  it.each(['$eval("1")', '$random()', '$shuffle([1])'])('does not offer %s', async (each) => {
    expect(await run({ each }, [1])).toMatchObject({
      rejected: [{ source: 0, reason: expect.stringContaining('not available') }],
    })
  })

  it('cannot reach JavaScript internals', async () => {
    const each = '{"a": constructor, "b": __proto__, "c": $.constructor.constructor("return 1")}'
    const { objects = [], rejected = [] } = await run({ each }, [{ n: 1 }])
    expect(JSON.stringify([objects, rejected])).not.toContain('native code')
  })

  it('returns its leading objects before those of its items, and only once', async () => {
    const mapping = { before: '{"kind": "first", "of": k}', items: 'list', each: '{"n": $}' }
    const payload = { k: 7, list: [1, 2] }
    expect(await run(mapping, payload)).toMatchObject({
      before: [null, [{ kind: 'first', of: 7 }]],
    })
    const later = await run(mapping, payload, { from: 1 })
    expect(later.objects).toEqual([
      [null, []],
      [1, [{ n: 2 }]],
    ])
    const again = await run(mapping, payload, { isFirst: false })
    expect(again.before).toEqual([null, []])
  })

  it('reports undecodable lines only once, even if it restarts at the first item', async () => {
    const mapping: Mapping = { each: '{"n": $}', decode: ['ndjson'] }
    expect(await run(mapping, '1\n{\n3\n', { isFirst: false })).toMatchObject({ rejected: [] })
  })

  it('rejects the whole message if its leading objects are invalid', async () => {
    for (const [before, reason] of [
      ['$pad("x", 16000001)', 'before: returns more than'],
      ['function($x) { $x }', 'before: gives what cannot be written'],
    ] as const) {
      expect(await run({ each: '$', before }, [1])).toMatchObject({
        whole: [{ source: null, reason: expect.stringContaining(reason) }],
      })
    }
  })

  it('merges items that describe one entity in several languages', async () => {
    const each = '{"Id": key, "names": languages, "first": first.name}'
    const items = [
      { id: 1, lang: 'de', name: 'Eins' },
      { id: 2, lang: 'de', name: 'Zwei' },
      { id: 1, lang: 'it', name: 'Uno' },
      { lang: 'it', name: 'Nessuno' },
      { id: 3, name: 'Keine' },
    ]
    const merge = { by: 'id', language: 'lang' }
    expect(await run({ each, merge }, items)).toMatchObject({
      objects: [
        [0, [{ Id: '1', names: { de: { name: 'Eins' }, it: { name: 'Uno' } }, first: 'Eins' }]],
        [1, [{ Id: '2', names: { de: { name: 'Zwei' } } }]],
      ],
      rejected: [
        { source: 2, reason: expect.stringContaining('merge.by') },
        { source: 3, reason: expect.stringContaining('merge.language') },
      ],
    })
    const lists = { de: [{ id: 1, name: 'Eins' }], it: [{ id: 1, name: 'Uno' }] }
    expect(await run({ each, merge: { by: 'id' } }, lists)).toMatchObject({
      objects: [[0, [{ Id: '1', names: { de: { name: 'Eins' }, it: { name: 'Uno' } } }]]],
    })
  })

  it('rejects the whole payload or single items that violate their schema', async () => {
    const schema = { type: 'object', required: ['list'], properties: { list: { type: 'array' } } }
    const itemSchema = { type: 'integer' }
    const mapping: Mapping = { each: '{"n": $}', items: 'list' }
    expect(await run(mapping, { list: 1 }, { schema })).toMatchObject({
      whole: [{ source: null, pointer: '/list', reason: expect.stringContaining('array') }],
    })
    expect(await run(mapping, { list: [1, 'x'] }, { schema, itemSchema })).toMatchObject({
      objects: [[0, [{ n: 1 }]]],
      rejected: [{ source: 1, pointer: '' }],
    })
  })

  it('rejects a payload that cannot be decoded, and skips such lines of NDJSON', async () => {
    expect(await run({ each: '$' }, '{')).toMatchObject({
      whole: [{ source: null, reason: expect.stringContaining('cannot be decoded') }],
    })
    expect(await run({ each: '{"n": $}', decode: ['ndjson'] }, '1\n{\n3\n')).toMatchObject({
      objects: [
        [0, [{ n: 1 }]],
        [1, [{ n: 3 }]],
      ],
      rejected: [{ source: null, line: 2 }],
    })
  })

  it('rejects the whole message when its items cannot be found', async () => {
    expect(await run({ each: '$', items: '$sum("x")' }, [])).toMatchObject({
      whole: [{ reason: expect.stringMatching(/^items: /) }],
    })
  })

  it('reports progress while it runs', async () => {
    const items = Array.from({ length: 30 }, (_, index) => index)
    const { slices = 0, objects = [] } = await run({ each: '{"n": $}' }, items)
    expect(objects).toHaveLength(30)
    expect(slices).toBeGreaterThan(5)
  })

  it('does not exceed its limits of depth, time and size', async () => {
    const limits: Definition['limits'] = { itemSeconds: 0.2, depth: 50 }
    const deep = '($f := function($x) { 1 + $f($x) }; $f(1))'
    const long = '($f := function($x) { $f($x) }; $f(1))'
    for (const [each, reason] of [
      [deep, 'Stack overflow'],
      [long, 'timeout'],
      ['[1..9999999].{"a": $}', 'maximum'],
      ['function($x) { $x }', 'JSON'],
    ] as const) {
      expect(await run({ each, limits }, [1])).toMatchObject({
        rejected: [{ source: 0, reason: expect.stringContaining(reason) }],
      })
    }
  })
})

describe('The expectations of a mapping', () => {
  const expecting = { each: '{"n": n}', expect: { items: 2, members: ['/n', '/place/name'] } }

  it('accept a payload that matches them', async () => {
    const items = [{ n: 1 }, { n: null, place: { name: 'x' } }]
    expect(await run(expecting, items)).toMatchObject({ rejected: [] })
    expect(await run({ each: '{"n": n}', expect: {} }, [])).toMatchObject({ rejected: [] })
  })

  it.each([
    [[], [{ reason: expect.stringMatching(/^has 0 of at least 2 items/) }]],
    [
      [
        { N: 1, place: { name: '' } },
        { N: 2, place: {} },
      ],
      [{ pointer: '/n' }, { pointer: '/place/name', reason: expect.stringContaining('renamed') }],
    ],
    [
      { n: 1, place: { name: 'x' } },
      [{ reason: expect.stringMatching(/^has 1 of at least 2 items/) }],
    ],
  ])('reject %j as a whole', async (payload, whole) => {
    expect(await run(expecting, payload)).toMatchObject({ whole })
  })
})
