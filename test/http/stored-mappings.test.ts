import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storedMappings } from '../../src/push/index.ts'
import { sql } from '../../src/sql/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const benches = '/mappings/acme/benches'

/** Returns a mapping to benches that are named by the given field. */
const mappingOf = (name: string, stream = 'acme/benches') => `version: 1
stream: ${stream}
each: |
  { "kind": "stations", "stationType": "Bench", "origin": "ACME", "items": [{ "code": id, "name": ${name} }] }
`
const samples = [
  { name: 'lake', payload: '[{"id": "b1", "name": "Lake", "label": "At the lake"}]' },
]

describeOn('postgresql', 'Stored mappings', () => {
  let hub: ComposedHub
  let folder = ''
  let drop: () => Promise<void>

  beforeAll(async () => {
    const clone = await cloneDatabase('postgresql')
    drop = clone.drop
    folder = await mkdtemp(join(tmpdir(), 'mappings-'))
    await writeFile(join(folder, 'rivers.yaml'), mappingOf('name', 'acme/rivers'))
    hub = await openComposedHub(clone.settings, { HUB_MAPPINGS: folder })
  })
  afterAll(async () => {
    await hub.close()
    await drop()
    await rm(folder, { recursive: true })
  })

  const askAs = (role: string) => async (method: Method, url: string, body?: object) => {
    const headers = await bearer([role])
    const { statusCode, ...answer } = await hub.ask({
      ...{ method, url, headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    return [statusCode, answer.body === '' ? null : answer.json()] as const
  }
  const ask = askAs('Mapping_Update')
  const versions = async () => {
    const [, { versions: all }] = await ask('GET', benches)
    return all.map(({ number, isEnd }: { number: number; isEnd: boolean }) => [number, isEnd])
  }
  /** Returns the streams that another node would find. */
  const seen = async () =>
    (await storedMappings(hub.store.database).look()).map((one) => one.stream)

  it('require the role Mapping_Update or ADMIN', async () => {
    const body = { mapping: mappingOf('name') }
    for (const [method, url] of [
      ['GET', '/mappings'],
      ['GET', benches],
      ['PUT', benches],
      ['DELETE', benches],
      ['GET', `${benches}/versions/1`],
      ['POST', `${benches}/versions/1/restore`],
    ] as const) {
      const [status, { errorCode }] = await askAs('Event_Update')(method, url, body)
      expect([url, status, errorCode]).toEqual([url, 403, 'HUB-ACC-003'])
    }
    expect(await askAs('ADMIN')('GET', benches)).toEqual([200, { current: null, versions: [] }])
  })

  it('are refused if they have errors, or if a file reads the stream', async () => {
    const faults = async (url: string, mapping: string) => {
      const [status, { errorCode, errors = [] }] = await ask('PUT', url, { mapping })
      return [status, errorCode, errors[0]?.detail]
    }
    expect(await faults(benches, mappingOf('$nmae(name)'))).toEqual([
      400,
      'HUB-BDY-001',
      expect.stringContaining('mapping.yaml:4:'),
    ])
    expect(await faults(benches, mappingOf('name', 'acme/other'))).toEqual([
      400,
      'HUB-BDY-001',
      'stream is acme/other, not acme/benches',
    ])
    const several = `otherStreams: [acme/more]\n${mappingOf('name')}`
    expect(await faults(benches, several)).toEqual([
      400,
      'HUB-BDY-001',
      expect.stringContaining('otherStreams'),
    ])
    expect(await faults('/mappings/acme/rivers', mappingOf('name', 'acme/rivers'))).toEqual([
      ...[409, 'HUB-BDY-007', undefined],
    ])
    expect((await ask('PUT', benches, { mapping: 'x'.repeat(16_001) }))[0]).toBe(400)
    expect(await seen()).toEqual([])
  })

  it('are tested on their samples, and saved as versions that can be restored', async () => {
    const first = { mapping: mappingOf('name'), samples }
    expect(await ask('PUT', `${benches}?dryrun=true`, first)).toEqual([
      200,
      { number: null, samples: [{ name: 'lake', items: 1, rejected: 0, differences: [] }] },
    ])
    expect(await versions()).toEqual([])
    expect((await ask('PUT', benches, first))[1]).toMatchObject({ number: 1 })
    expect((await ask('PUT', benches, { ...first, mapping: mappingOf('label') }))[1]).toEqual({
      number: 2,
      samples: [
        {
          ...{ name: 'lake', items: 1, rejected: 0 },
          differences: ['/objects/0/items/0/name: expected "Lake", found "At the lake"'],
        },
      ],
    })
    const [, { current }] = await ask('GET', benches)
    expect(current).toMatchObject({ number: 2, mapping: mappingOf('label'), samples })
    expect((await ask('POST', `${benches}/versions/1/restore`))[1]).toMatchObject({ number: 3 })
    expect((await ask('GET', `${benches}/versions/3`))[1].mapping).toBe(mappingOf('name'))
    expect((await ask('GET', `${benches}/versions/9`))[0]).toBe(404)
    expect(await versions()).toEqual([
      [3, false],
      [2, false],
      [1, false],
    ])
    expect(await seen()).toEqual(['acme/benches'])
  })

  it('are listed with the mappings from files, and appear in the audit log', async () => {
    const [, { mappings }] = await ask('GET', '/mappings')
    expect(mappings).toEqual([
      ...[
        {
          stream: 'acme/benches',
          name: 'acme/benches',
          version: '1',
          source: 'stored',
          isUsed: true,
        },
      ],
      ...[{ stream: 'acme/rivers', name: 'rivers', version: '1', source: 'file', isUsed: true }],
    ])
    const [, { entries }] = await askAs('ADMIN')('GET', '/access/audit?dataset=Mapping')
    expect(
      entries.map(({ operation, record, changes }: Record<string, unknown>) => ({
        ...{ operation, record, changes },
      })),
    ).toEqual([
      { operation: 'Update', record: 'acme/benches', changes: { number: [2, 3] } },
      { operation: 'Update', record: 'acme/benches', changes: { number: [1, 2] } },
      { operation: 'Create', record: 'acme/benches', changes: { number: [null, 1] } },
    ])
  })

  it('return 404 for invalid version numbers', async () => {
    for (const number of ['abc', '1.5', '1e3', '0', '-1', '01', '2147483648', '%20', '']) {
      const version = `${benches}/versions/${number}`
      expect(await ask('GET', version), version).toMatchObject([404, {}])
      expect(await ask('POST', `${version}/restore`), version).toMatchObject([404, {}])
    }
  })

  it('are refused with a sample time that does not exist', async () => {
    const received = '2026-12-31T23:59:60Z'
    const body = { mapping: mappingOf('name'), samples: [{ name: 'x', payload: '[]', received }] }
    const [status, { errorCode, errors }] = await ask('PUT', `${benches}?dryrun=true`, body)
    expect([status, errorCode]).toEqual([400, 'HUB-BDY-001'])
    expect(errors).toMatchObject([{ pointer: '/samples/0/received' }])
  })

  it('are refused with a sample that is not valid base64', async () => {
    const encoding = 'base64'
    const save = (payload: string) => {
      const both = ['W10=', payload].map((one, n) => ({ name: `s${n}`, payload: one, encoding }))
      return ask('PUT', `${benches}?dryrun=true`, { mapping: mappingOf('name'), samples: both })
    }
    expect((await save('W10='))[0]).toBe(200)
    for (const payload of ['not*', 'W10', 'W1 0=', 'W10=\n']) {
      const [status, { errorCode, errors }] = await save(payload)
      expect([status, errorCode], payload).toEqual([400, 'HUB-BDY-001'])
      expect(errors).toMatchObject([{ pointer: '/samples/1/payload' }])
    }
  })

  it('are replaced by a file that is added later, until it is removed', async () => {
    await writeFile(join(folder, 'benches.yaml'), mappingOf('name'))
    // A hub that does not listen checks its files only when something is saved.
    const save = () =>
      ask('PUT', '/mappings/acme/seats', { mapping: mappingOf('name', 'acme/seats') })
    const sources = async () => {
      const [, { mappings }] = await ask('GET', '/mappings')
      return mappings
        .filter(({ stream }: { stream: string }) => stream === 'acme/benches')
        .map(({ source, isUsed }: Record<string, unknown>) => [source, isUsed])
    }
    await save()
    expect(await sources()).toEqual([
      ['file', true],
      ['stored', false],
    ])
    await rm(join(folder, 'benches.yaml'))
    await save()
    expect(await sources()).toEqual([['stored', true]])
  })

  it('apply at once to messages that arrived before them', async () => {
    const { database } = hub.store
    await database.execute(sql`
      insert into message (id, stream, received, sender, may_backdate, body, sha256, state, reason)
      values (gen_random_uuid(), 'acme/rocks', now(), 'acme', false, '[]', '', 'accepted', 'no pipeline')`)
    await ask('PUT', '/mappings/acme/rocks', { mapping: mappingOf('name', 'acme/rocks') })
    expect(
      await database.texts(sql`select reason from message where stream = 'acme/rocks'`),
    ).toEqual([[null]])
    await ask('DELETE', '/mappings/acme/rocks')
  })

  it('keep their versions after they are deleted', async () => {
    expect(await ask('DELETE', benches)).toEqual([204, null])
    expect(await ask('DELETE', benches)).toMatchObject([404, {}])
    expect(await versions()).toMatchObject([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ])
    expect(await seen()).toEqual(['acme/seats'])
    expect((await ask('POST', `${benches}/versions/4/restore`))[0]).toBe(404)
    expect((await ask('POST', `${benches}/versions/1/restore`))[1]).toMatchObject({ number: 5 })
  })
})
