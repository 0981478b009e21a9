import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMapper } from '../../src/push/mappings/mapper.ts'
import type { Mapper } from '../../src/push/mappings/mapper.ts'
import { mappingsOf } from '../../src/push/mappings/mappings.ts'
import { loaded } from '../fixtures/loaded-mapping.ts'
import { silentLog } from '../fixtures/silent-log.ts'

/**
 * Expressions that no limit of JSONata stops, or that need more memory than a worker thread
 * survives.
 */
const nasty = {
  'a regular expression without end':
    '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)',
  'a work of hours in one function': '$distinct([1..200000])',
  'long texts': '$pad("x", 100000000).($ & $ & $ & $)',
  'a long text in base64': '$base64encode($pad("x", 500000000))',
  'lists of lists': '[1..100000].{"a": [1..10000]}',
  'endless recursion': '($f := function($x) { $f($x + 1) }; $f(1))',
  'deep recursion': '($f := function($x) { 1 + $f($x + 1) }; $f(1))',
  'a range': '[1..9999999].([1..9999999])',
  'a text that doubles': '($f := function($s) { $f($s & $s) }; $f("aaaaaaaaaa"))',
}

const mappings = Object.values(nasty).map((expression, index) =>
  loaded({
    stream: `nasty/${String(index)}`,
    each: `bad ? ${expression} : {"kind": "x", "n": n}`,
    limits: { itemSeconds: 0.5, seconds: 60 },
  }),
)
const whole = loaded({
  stream: 'whole/items',
  items: '[1..100000].{"a": [1..10000]}',
  each: '$',
})
const late = loaded({
  stream: 'late/all',
  each: '($f := function($x) { $f($x) }; $f(1))',
  limits: { itemSeconds: 0.4, seconds: 1 },
})
const many = loaded({
  stream: 'many/bad',
  each: mappings[0]?.definition.each ?? '',
  limits: { itemSeconds: 0.2 },
})

const hanging = loaded({
  stream: 'hanging/first',
  decode: ['ndjson'],
  before: '{"kind": "b"}',
  each: `bad ? ${nasty['a regular expression without end']} : {"kind": "x", "n": n}`,
  limits: { itemSeconds: 0.2 },
})
const growing = loaded({
  stream: 'growing/objects',
  items: 'list',
  each: '{"kind": "x", "p": $payload}',
})

const received = new Date('2026-11-20T10:00:00Z')
const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value))
const items = (...bad: readonly number[]) =>
  bodyOf([0, 1, 2, 3, 4, 5].map((n) => ({ n, bad: bad.includes(n) })))

describe('The process that evaluates mappings', () => {
  let mapper: Mapper

  beforeAll(() => {
    const all = [...mappings, whole, late, many, hanging, growing]
    mapper = createMapper({ mappings: all, memory: 96, maxBytes: 1e7, log: silentLog })
  })
  afterAll(() => mapper.close())

  const map = (stream: string, body: Uint8Array) =>
    mapper.map({ stream, body, received, contentType: null })

  it.each(Object.keys(nasty).map((what, index) => [what, index] as const))(
    'rejects an item that requires %s, and accepts the others',
    async (_what, index) => {
      const { objects, rejected } = await map(`nasty/${String(index)}`, items(2))
      expect(objects.map(({ source }) => source)).toEqual([0, 1, 3, 4, 5])
      expect(rejected).toEqual([{ index: 2, reason: expect.any(String) }])
    },
  )

  it('rejects the first and the last item, and accepts the others', async () => {
    const { objects, rejected } = await map('nasty/0', items(0, 5))
    expect(objects.map(({ source }) => source)).toEqual([1, 2, 3, 4])
    expect(rejected).toMatchObject([{ index: 0 }, { index: 5 }])
  })

  it('abandons a message with too many such items', async () => {
    const { objects, rejected } = await map('many/bad', items(1, 2, 3, 4))
    expect(objects.map(({ source }) => source)).toEqual([0])
    expect(rejected).toMatchObject([
      ...[{ index: 1 }, { index: 2 }, { index: 3 }],
      { index: null, reason: expect.stringContaining('items 4 to 5') },
    ])
  })

  it('rejects a message whose list of items exceeds its memory', async () => {
    expect(await map('whole/items', items())).toMatchObject({
      objects: [],
      rejected: [{ index: null, reason: expect.stringContaining('HUB_MAPPING_MEMORY') }],
    })
  })

  it('rejects the remaining items when the time limit of a message is reached', async () => {
    const { rejected } = await map('late/all', bodyOf(Array.from({ length: 50 }, () => 1)))
    expect(rejected.at(-1)).toMatchObject({
      index: null,
      reason: expect.stringContaining('limits.seconds'),
    })
    expect(rejected.length).toBeLessThan(50)
  })

  it('returns the objects before the items and the broken lines only once', async () => {
    const body = Buffer.from('{"bad":true}\nbroken\n{"n":3}\n')
    const { objects, rejected } = await map('hanging/first', body)
    expect(objects.map(({ value }) => value)).toEqual([{ kind: 'b' }, { kind: 'x', n: 3 }])
    expect(rejected).toMatchObject([{ index: null, line: 2 }, { index: 0 }])
  })

  it('limits the size of the result of a message, and continues with the next one', async () => {
    const filler = 'x'.repeat(500_000)
    const list = Array.from({ length: 1000 }, () => 1)
    const { objects, rejected } = await map('growing/objects', bodyOf({ filler, list }))
    expect(objects.length).toBeGreaterThan(100)
    expect(objects.length).toBeLessThan(160)
    expect(rejected).toEqual([
      { index: null, reason: expect.stringMatching(/^items \d+ to 999: .*HUB_PUSH_BODY_LIMIT/) },
    ])
    expect((await map('nasty/1', items())).objects).toHaveLength(6)
  })

  it('evaluates messages in turn, each as a whole', async () => {
    const found = await Promise.all(Array.from({ length: 5 }, () => map('nasty/1', items())))
    expect(found.map(({ objects }) => objects.length)).toEqual([6, 6, 6, 6, 6])
  })
})

describe('A separate process', () => {
  const message = { stream: 'nasty/0', body: items(), received, contentType: null }
  const options = { mappings, memory: 96, maxBytes: 1e7, log: silentLog }

  it('fails without rejecting the message if it cannot start or the hub stops', async () => {
    const broken = createMapper({ ...options, memory: 1 })
    await expect(broken.map(message)).rejects.toThrow('does not start')
    await broken.close()
    const stopping = createMapper(options)
    const mapped = expect(stopping.map({ ...message, body: items(0, 1, 2) })).rejects.toThrow()
    await setTimeout(1000)
    await stopping.close()
    await mapped
  })

  it('queues some dry runs, and refuses more', async () => {
    const tried = mappingsOf(options, [])
    const runs = Array.from({ length: 6 }, () => tried.evaluateTrial(message))
    const outcomes = await Promise.allSettled(runs)
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled'),
      ...['rejected', 'rejected'],
    ])
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'HUB-SRV-007' } })
    await expect(tried.evaluateTrial(message)).resolves.toBeDefined()
    await tried.close()
  })
})
