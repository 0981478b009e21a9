import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'

const reason = expect.stringMatching(/\w{3}/)
const time = '2026-11-20T10:15:00Z'

const tags = (...items: readonly unknown[]) => ({ kind: 'content', entity: 'Tag', items })
const types = (...items: readonly unknown[]) => ({ kind: 'dataTypes', items })
const stations = (...items: readonly unknown[]) => ({ kind: 'stations', stationType: 'S', items })
const events = (...items: readonly unknown[]) => ({ kind: 'events', origin: 'E', items })
const values = (...items: readonly unknown[]) => ({
  kind: 'measurements',
  stationType: 'S',
  period: 1,
  items,
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const many = 2_500
const one = 1321
describeWithDatabase('a push with bad input', (database) => {
  const hub = usePushingHub(database)

  it.each([
    [
      'records',
      (bad: boolean, n: number) => tags({ Id: `t${String(n)}`, Active: bad ? 'yes' : true }),
    ],
    [
      'stations',
      (bad: boolean, n: number) => stations({ code: `s${String(n)}`, active: bad ? 1 : true }),
    ],
    [
      'events',
      (bad: boolean, n: number) => events({ uuid: `u${String(n)}`, start: bad ? '2026' : time }),
    ],
  ])('stores all of 2,500 %s except the bad one, and reports that one', async (_, messageOf) => {
    const messages = Array.from({ length: many }, (_one, n) => messageOf(n === one, n))
    const items = messages.flatMap((message) => message.items)
    const { stored, rejected } = await hub.push([{ ...messages[0], items }])
    expect(stored).toBe(many - 1)
    expect(rejected).toMatchObject([{ index: one, reason }])
  })

  it('stores all of 2,500 values except the bad one, and reports that one', async () => {
    const items = Array.from({ length: many }, (_, n) => {
      return ['v', 'v', new Date(n * 1000).toISOString(), n === one ? null : n]
    })
    const { stored, rejected } = await hub.push([
      types({ name: 'v' }),
      stations({ code: 'v' }),
      values(...items),
    ])
    expect(stored).toBe(many + 1)
    expect(rejected).toEqual([{ line: 3, index: one, pointer: `/items/${String(one)}/3`, reason }])
  })

  it.each([
    ['records', tags({ Id: 'd', Shortname: '1' }, { Id: 'd', Shortname: '2' }), '/Id'],
    ['stations', stations({ code: 'd', name: '1' }, { code: 'd', name: '2' }), '/code'],
    ['data types', types({ name: 'd', unit: '1' }, { name: 'd', unit: '2' }), '/name'],
    ['events', events({ uuid: 'd', name: '1' }, { uuid: 'd', name: '2' }), '/uuid'],
    ['edges', { kind: 'edges', edgeType: 'D', items: [{ code: 'd' }, { code: 'd' }] }, '/code'],
  ])(
    'stores the last of two %s with the same identifier, and rejects the other',
    async (_, message, pointer) => {
      const { stored, rejected } = await hub.push([message])
      expect(stored).toBe(1)
      expect(rejected).toEqual([{ index: 0, pointer: `/items/0${pointer}`, reason }])
    },
  )

  it('keeps the last of several values for one time, and warns of replaced ones', async () => {
    await hub.push([types({ name: 'd' }), stations({ code: 'd' })])
    const receipt = await hub.push([
      values(
        ['d', 'd', time, 1],
        ['d', 'd', time, 2],
        ['d', 'd', '2026-11-20T11:15:00+01:00', 2],
        ['d', 'd', time, 'open'],
      ),
      values(['d', 'd', '2026-11-20T10:00:00Z', 3]),
      values(['d', 'd', '2026-11-20T10:00:00Z', 4]),
    ])
    const replaced = { line: 1, index: 0, pointer: '/items/0', reason }
    expect(receipt).toMatchObject({ stored: 6, rejected: [], warnings: [replaced] })
    expect(await hub.get('/v2/flat,node/S/d/latest')).toMatchObject({
      data: [{ mvalue: 2 }, { mvalue: 'open' }],
    })
  })

  it('rejects a record that it also deletes, and ignores missing ones to delete', async () => {
    const items = [{ Id: 'gone' }, { Id: 'kept' }]
    const deletions = { delete: ['GONE', 'never', 'never'] }
    const { stored, rejected } = await hub.push([
      { kind: 'content', entity: 'WebcamInfo', items, ...deletions },
    ])
    expect(stored).toBe(4)
    expect(rejected).toEqual([{ index: 0, pointer: '/items/0/Id', reason }])
    expect(await hub.get('/v1/WebcamInfo')).toMatchObject({ TotalResults: 1 })
  })

  it('stores an item of 5 MB of each kind', async () => {
    const text = 'ä'.repeat(2_500_000)
    const receipt = await hub.push([
      tags({ Id: 'large', Description: { de: text } }),
      stations({ code: 'large', metadata: { text } }),
    ])
    expect(receipt).toMatchObject({ stored: 2, rejected: [] })
    expect(await hub.get('/v1/Tag/large')).toMatchObject({ Description: { de: text } })
    const more = [
      types({ name: 'large', metadata: { text } }),
      values(['large', 'large', time, { text }]),
    ]
    expect(await hub.push(more)).toMatchObject({ stored: 2, rejected: [] })
    expect(await hub.push([events({ uuid: 'large', text: { de: text } })])).toMatchObject({
      stored: 1,
    })
  })

  it.each([
    [
      'bytes that are not UTF-8',
      Buffer.from('{"kind":"dataTypes","items":[{"name":"\xff"}]}', 'latin1'),
    ],
    ['NaN', '{"kind":"dataTypes","items":[{"name":"a","metadata":{"a":NaN}}]}'],
    ['Infinity', '{"kind":"dataTypes","items":[{"name":"a","metadata":{"a":-Infinity}}]}'],
    ['a cut body', '{"kind":"dataTypes","items":[{"name":"a"}'],
    ['an array', '[{"kind":"dataTypes","items":[{"name":"a"}]}]'],
    ['nothing', ''],
    ['endless depth', deep(1_000_000)],
  ])('keeps a body unchanged if it is not an object of a known kind: %s', async (_, body) => {
    expect(await hub.push(body)).toMatchObject({
      state: 'accepted',
      reason: 'no pipeline',
      stored: 0,
    })
  })

  it('stores the valid lines of NDJSON, and rejects each invalid one with its number', async () => {
    const good = (name: string) => JSON.stringify(types({ name }))
    const lines = ['{"kind":"dataTypes",', '{"kind":"dataTypes","items":[NaN]}', '5', '\xff', '']
    const body = Buffer.from([good('one'), ...lines, good('two')].join('\r\n'), 'latin1')
    const { stored, rejected } = await hub.push(body)
    expect(stored).toBe(2)
    expect(rejected.map(({ line, index }) => [line, index])).toEqual(
      [2, 3, 4, 5].map((line) => [line, null]),
    )
    expect(rejected.map((rejection) => rejection.reason)).toEqual([
      expect.stringMatching(/^is not JSON: /),
      expect.stringMatching(/^is not JSON: /),
      expect.stringMatching(/^is not a known kind/),
      'is not UTF-8 text',
    ])
  })

  it.each([
    [
      'a number beyond double precision',
      '{"name":"x","metadata":{"a":[1,1e400]}}',
      '/metadata/a/1',
    ],
    ['the NUL character', String.raw`{"name":"a\u0000"}`, '/name'],
    ['half a surrogate pair', String.raw`{"name":"a","metadata":{"a":"\ud800"}}`, '/metadata/a'],
    ['NUL in a name', String.raw`{"name":"a","metadata":{"\u0000":1}}`, '/metadata/\uFFFD'],
    ['half a pair in a name', String.raw`{"name":"a","metadata":{"\udc00":1}}`, '/metadata/\uFFFD'],
    ['101 levels', `{"name":"a","metadata":{"a":${deep(100)}}}`, `/metadata/a${'/0'.repeat(99)}`],
    [
      '100,000 levels',
      `{"name":"a","metadata":{"a":${deep(100_000)}}}`,
      `/metadata/a${'/0'.repeat(99)}`,
    ],
    ['an unknown member', '{"name":"a","title":"a"}', '/title'],
    [
      'ten unknown members',
      '{"name":"a","1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"0":1}',
      '/0',
    ],
    ['no object', '"a"', ''],
    ['a name that no record has', '{"name":"a","__proto__":{"unit":5}}', '/__proto__'],
  ])('rejects an item with %s', async (_, item, pointer) => {
    const { stored, rejected } = await hub.push(
      `{"kind":"dataTypes","items":[{"name":"b"},${item}]}`,
    )
    expect(stored).toBe(1)
    expect(rejected).toEqual([{ index: 1, pointer: `/items/1${pointer}`, reason }])
  })

  it.each([
    ['the NUL character', String.raw`"stationType":"a\u0000"`, '/stationType'],
    ['half a surrogate pair', String.raw`"stationType":"a","origin":"\ud800"`, '/origin'],
    ['NUL in a name', String.raw`"stationType":"a","\u0000":1`, '/\uFFFD'],
    [
      'a time that does not exist',
      '"stationType":"a","recorded":"2026-99-99T00:00:00Z"',
      '/recorded',
    ],
    ['a time of another era', '"stationType":"a","recorded":"0000-01-01T00:00:00Z"', '/recorded'],
  ])('rejects an object with %s', async (_, head, pointer) => {
    const { stored, rejected } = await hub.push(
      `{"kind":"stations",${head},"items":[{"code":"a"}]}`,
    )
    expect([stored, rejected]).toEqual([0, [{ index: null, pointer, reason }]])
  })

  it('rejects a deletion that cannot be stored', async () => {
    const { rejected } = await hub.push([{ ...tags(), delete: ['a', 'b\u0000'] }])
    expect(rejected).toEqual([{ index: null, pointer: '/delete/1', reason }])
  })

  it('lists 1,000 rejections of a message, and counts the others', async () => {
    const zeros = { kind: 'dataTypes', items: new Array(10_001).fill(0) }
    const { rejected } = await hub.push(new Array(11).fill(zeros))
    expect(rejected).toHaveLength(1_001)
    expect(rejected.at(-1)).toEqual({
      index: null,
      reason: '109011 more rejections are not listed',
    })
  })

  it('counts the rejections of an object that has more than are listed', async () => {
    const { rejected } = await hub.push([types(...new Array(12_000).fill(0))])
    expect(rejected.at(-1)).toEqual({ index: null, reason: '11000 more rejections are not listed' })
  })

  it.each([
    ['a code of 300 characters', stations({ code: 'c'.repeat(300) }), '/code'],
    ['an Id of 300 characters', tags({ Id: 'i'.repeat(300) }), '/Id'],
    ['an event’s uuid of 200 characters', events({ uuid: 'u'.repeat(200) }), '/uuid'],
  ])('rejects %s', async (_, message, pointer) => {
    const { stored, rejected } = await hub.push([message])
    expect([stored, rejected]).toEqual([0, [{ index: 0, pointer: `/items/0${pointer}`, reason }]])
  })

  it('warns of a transaction time in the future, unsupported severities and reversed events', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString()
    const receipt = await hub.push([
      { ...types({ name: 'ahead' }), recorded: ahead },
      { ...types({ name: 'behind' }), recorded: time },
      events(
        { uuid: 'grave', severity: 'grave' },
        { uuid: 'high', severity: ' HIGH' },
        { uuid: 'none', severity: null },
        { uuid: 'reversed', start: '2026-11-20T10:00:00+01:00', end: '2026-11-20T08:59:59Z' },
        { uuid: 'moment', start: '2026-11-20T10:00:00+01:00', end: '2026-11-20T09:00:00Z' },
      ),
    ])
    expect(receipt).toMatchObject({
      stored: 7,
      rejected: [],
      warnings: [
        { line: 1, index: null, pointer: '/recorded', reason },
        { line: 3, index: 0, pointer: '/items/0/severity', reason },
        { line: 3, index: 3, pointer: '/items/3/end', reason },
      ],
    })
  })

  it('accepts `recorded` only from an ADMIN, and otherwise rejects the whole object', async () => {
    const messages = [types({ name: 'r1' }), { ...types({ name: 'r2' }, {}), recorded: time }]
    expect(await hub.push(messages, 'provider')).toMatchObject({
      stored: 1,
      rejected: [{ line: 2, index: null, pointer: '/recorded', reason }],
    })
    expect(await hub.push(messages)).toMatchObject({ stored: 2, rejected: [{ line: 2, index: 1 }] })
  })
})
