import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOnEngines } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { runHub } from '../../test/fixtures/run-hub.ts'

const messages = [
  { kind: 'content', entity: 'Accommodation', items: [{ Id: 'A', Shortname: 'Ä' }, { Id: 'B' }] },
  { kind: 'dataTypes', items: [{ name: 'free', unit: '', type: 'Instantaneous' }] },
  {
    kind: 'stations',
    stationType: 'ParkingStation',
    origin: 'X',
    items: [
      { code: 'bay', name: 'Bay', parent: { type: 'ParkingStation', code: 'p' } },
      { code: 'p', name: 'P', coordinate: [11.35, 46.49], metadata: { capacity: 3 } },
    ],
  },
  {
    kind: 'measurements',
    stationType: 'ParkingStation',
    period: 300,
    provenance: { name: 'c', version: null, lineage: 'X' },
    items: [
      ['p', 'free', '2026-11-20T10:00:00Z', 1.5],
      ['p', 'free', '2026-11-20T10:05:00Z', 0.1234567890123],
      ['p', 'free', '2026-11-20T10:05:00Z', 'full'],
    ],
  },
  {
    kind: 'edges',
    edgeType: 'Link',
    items: [{ code: 'e', from: { type: 'ParkingStation', code: 'p' }, to: null, directed: true }],
  },
  {
    kind: 'events',
    origin: 'X',
    items: [
      { uuid: 'u', title: { en: 'Jam' }, geometry: { type: 'Point', coordinates: [11, 46] } },
    ],
  },
]

describeOnEngines('import and export', (engine) => {
  let from: TestDatabase
  let to: TestDatabase
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-commands-'))
    from = await cloneDatabase(engine)
    to = await cloneDatabase(engine)
  })
  afterAll(async () => {
    await Promise.all([from.drop(), to.drop(), rm(folder, { recursive: true })])
  })

  it('import stores a file, reports what it rejects, and then exits with 1', async () => {
    const file = join(folder, 'in.ndjson')
    const bad = { kind: 'dataTypes', items: [{ name: '' }] }
    await writeFile(file, [...messages, bad].map((message) => JSON.stringify(message)).join('\n'))
    const { code, out, err } = await runHub(['import', file], from)
    expect(out).toContain('10 stored, 1 rejected')
    expect(err).toContain('"line":7')
    expect(code).toBe(1)
  })

  it('export writes what import reads, and a copy exports the same', async () => {
    const first = join(folder, 'first.ndjson')
    expect(await runHub(['export', '--output', first], from)).toMatchObject({ code: 0 })
    expect(await runHub(['import', first], to)).toMatchObject({ code: 0 })
    const second = join(folder, 'second.ndjson')
    expect(await runHub(['export', '--output', second], to)).toMatchObject({ code: 0 })
    const read = async (file: string) => withoutSaveTimes(await readFile(file, 'utf8'))
    expect(await read(second)).toEqual(await read(first))
  })

  it('export accepts names, and reports an unknown one', async () => {
    const stations = await runHub(['export', 'stations'], from)
    expect(
      stations.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { kind: 'stations', stationType: 'Link', items: [{ code: 'e' }] },
      { kind: 'stations', items: [{ code: 'bay' }, { code: 'p', metadata: { capacity: 3 } }] },
      { kind: 'stations', items: [{ code: 'bay', parent: { code: 'p' } }] },
    ])
    const unknown = await runHub(['export', 'station'], from)
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('Did you mean stations?'),
    ])
  })

  it('export --publish writes all or some exports, and reports an unknown one', async () => {
    const place = { ...from.settings, HUB_EXPORT_DIR: join(folder, 'exports') }
    const some = await runHub(['export', '--publish', 'stations.Link'], { settings: place })
    expect([some.code, some.out]).toEqual([0, 'stations.Link: 1 records\n'])
    const all = await runHub(['export', '--publish'], { settings: place })
    expect([all.code, all.out]).toEqual([0, expect.stringContaining('traffic.X: 1 records')])
    const none = await runHub(['export', '--publish', 'Nothing'], { settings: place })
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('Nothing: This is not a feed'),
    ])
  })

  it.runIf(engine === 'postgresql')(
    'export --publish needs a place (the embedded database has one)',
    async () => {
      const { code, err } = await runHub(['export', '--publish'], from)
      expect([code, err]).toEqual([1, expect.stringContaining('Set HUB_EXPORT_DIR')])
    },
  )
})

/**
 * Removes the times of saving and of transactions, which are those of the hub that saved.
 * Everything else must be equal.
 */
function withoutSaveTimes(lines: string): readonly unknown[] {
  const times = ['LastUpdate', 'recorded']
  return lines
    .trim()
    .split('\n')
    .map((line): unknown =>
      JSON.parse(line, (name, value: unknown) => (times.includes(name) ? undefined : value)),
    )
}
