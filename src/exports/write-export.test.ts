import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Check } from 'typebox/schema'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { geoParquet, wellKnown } from '../../test/fixtures/geo-parquet.ts'
import { readParquetFile } from '../../test/fixtures/read-columns.ts'
import { tallyLicences } from './make-exports.ts'
import { writeExport } from './write-export.ts'
import type { PartLimits, Writing } from './write-export.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'))
})
afterEach(() => rm(folder, { recursive: true }))

type Values = readonly Readonly<Record<string, unknown>>[]

const messagesOf = (values: Values) =>
  values.map((value, place) => JSON.stringify({ type: 'T', key: `k${String(place)}`, value }))

const most: PartLimits = { characters: 1_000_000, records: 1_000_000 }

/** Yields pages of two messages each. */
async function* pagesOf(messages: readonly string[]) {
  for (let start = 0; start < messages.length; start += 2) yield messages.slice(start, start + 2)
}

const write = (values: Values, more: Partial<Writing> = {}) =>
  writeExport({
    dataset: 'T',
    pages: pagesOf(messagesOf(values)),
    folder,
    limits: most,
    note: () => undefined,
    onProgress: () => Promise.resolve(),
    ...more,
  })

async function readTable(values: Values) {
  const written = await write(values)
  const table = written.find(({ file }) => file.format === 'parquet')
  return readParquetFile(await readFile(table?.path ?? ''))
}

it('writes all messages as lines, in parts, with the sizes and digests of the files', async () => {
  const values = Array.from({ length: 7 }, (_, place) => ({ Id: place }))
  const written = await write(values, { limits: { ...most, records: 4 } })
  const lines = written.filter(({ file }) => file.format === 'ndjson.gz')
  expect(lines.map(({ file }) => file.count)).toEqual([4, 3])
  expect(written.map(({ file }) => file.format).slice(2)).toEqual(['parquet', 'parquet'])
  const texts = []
  for (const { path, file } of written) {
    const bytes = await readFile(path)
    expect(bytes.length).toBe(file.bytes)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
    if (file.format === 'ndjson.gz') texts.push(gunzipSync(bytes).toString())
  }
  expect(texts.join('')).toBe(`${messagesOf(values).join('\n')}\n`)
})

it('starts a new part when the limit of characters is reached', async () => {
  const values = [{ a: 'x'.repeat(100) }, { a: 'y' }, { a: 'z' }]
  const written = await write(values, { limits: { ...most, characters: 100 } })
  expect(written.map(({ file }) => file.count)).toEqual([2, 1, 2, 1])
})

it('names files by their content: the same records have the same names', async () => {
  const names = async (values: Values) => (await write(values)).map(({ file }) => file.name)
  const first = await names([{ a: 1 }])
  expect(await names([{ a: 1 }])).toEqual(first)
  expect(await names([{ a: 2 }])).not.toEqual(first)
})

it('uses safe file names for any name of a dataset', async () => {
  const written = await write([{ a: 1 }], { dataset: `traffic.../../${'ü'.repeat(300)}` })
  for (const { file } of written) expect(file.name).toMatch(/^[\w.-]{1,120}$/)
})

it('writes no files for no records', async () => {
  expect(await write([])).toEqual([])
})

it('stores each field in the type that all its values share, or else as JSON', async () => {
  const { names, rows } = await readTable([
    { text: 'a', number: 1, yes: true, mixed: 1, list: [1, { b: 'ü' }], none: null },
    { text: null, number: 2.5, yes: false, mixed: 'x', later: 'only here' },
  ])
  expect(names).toEqual(['key', 'text', 'number', 'yes', 'mixed', 'list', 'later'])
  expect(rows.map((row) => ({ ...row }))).toEqual([
    {
      ...{ key: 'k0', text: 'a', number: 1, yes: true, mixed: '1' },
      ...{ list: '[1,{"b":"ü"}]', later: null },
    },
    {
      ...{ key: 'k1', text: null, number: 2.5, yes: false, mixed: '"x"' },
      ...{ list: null, later: 'only here' },
    },
  ])
})

it('writes records with a position as points on the map', async () => {
  const gps = { GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.3 }] }
  const { names, rows, table } = await readTable([gps, { GpsInfo: null }])
  expect(names).toEqual(['key', 'GpsInfo', 'geometry', 'bbox'])
  expect(rows.map(({ geometry }) => geometry)).toEqual([wellKnown(11.3, 46.5), null])
  expect(rows.map(({ bbox }) => bbox)).toEqual([
    { xmin: 11.3, ymin: 46.5, xmax: 11.3, ymax: 46.5 },
    null,
  ])
  const geo: unknown = JSON.parse(table.schema.metadata?.get('geo') ?? '{}')
  expect(Check(geoParquet, geo)).toBe(true)
  expect(geo).toMatchObject({
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'] } },
  })
})

it('writes records with a shape as lines on the map', async () => {
  const road = { Geo: { position: { Geometry: 'LINESTRING(11.3 46.5, 11.4 46.6)' } } }
  const { rows, table } = await readTable([road])
  expect(rows[0]?.['bbox']).toEqual({ xmin: 11.3, ymin: 46.5, xmax: 11.4, ymax: 46.6 })
  expect(table.schema.metadata?.get('geo')).toContain('["LineString"]')
})

it('writes fields that are points as points on the map', async () => {
  const { names, rows } = await readTable([{ scoordinate: { x: 11, y: 46, srid: 4326 } }])
  expect(names).toEqual(['key', 'scoordinate', 'scoordinate_bbox'])
  expect(rows[0]?.['scoordinate']).toEqual(wellKnown(11, 46))
})

it('keeps a field with the name of the key column', async () => {
  const { rows } = await readTable([{ key: 'own' }])
  expect({ ...rows[0] }).toEqual({ _key: 'k0', key: 'own' })
})

it('fails with the error of its source', async () => {
  async function* pages() {
    yield messagesOf([{ a: 1 }])
    throw new Error('The database is gone')
  }
  await expect(write([], { pages: pages() })).rejects.toThrow('The database is gone')
})

it('finds the licences in records, or by their origin', () => {
  const tally = tallyLicences(new Map([['a22', 'CC-BY-4.0']]))
  tally.note({ LicenseInfo: { License: 'CC0' } })
  tally.note({ smetadata: { licence: 'CC0' } })
  tally.note({ sorigin: 'A22' })
  tally.note({ _Meta: { Source: 'unknown' } })
  expect([tally.count(), tally.print()]).toEqual([4, 'CC0, CC-BY-4.0'])
  expect(tallyLicences(new Map()).print()).toBeNull()
})
