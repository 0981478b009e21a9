import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPython } from '../../scripts/fetch-python.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { oddName, useFormats } from '../fixtures/formats.ts'

const python = findPython('pyarrow')
const reason = python === undefined ? ' [left out: PyArrow is not installed; run npm run setup]' : ''

const tables = Type.Array(
  Type.Object({
    fields: Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String()])),
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    geo: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]),
  }),
)

/** Reads files with PyArrow, the reference reader. */
async function readTables(files: Readonly<Record<string, Uint8Array>>) {
  const folder = await mkdtemp(join(tmpdir(), 'pyarrow-'))
  try {
    const paths = Object.keys(files).map((name) => join(folder, name))
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    const program = fileURLToPath(new URL('pyarrow/read.py', import.meta.url))
    const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const
    const { status, stdout, stderr } = spawnSync(python ?? '', [program, ...paths], options)
    if (status !== 0) throw new Error(`read.py failed:\n${stderr}`)
    return Parse(tables, JSON.parse(stdout))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.skipIf(python === undefined)(`Tables as PyArrow reads them${reason}`, () => {
  describeWithDatabase('of the content service', (database) => {
    const get = useFormats(database)
    let found: Awaited<ReturnType<typeof readTables>>
    beforeAll(async () => {
      const load = async (url: string) => (await get(url)).bytes
      found = await readTables({
        'houses.parquet': await load('/v1/Accommodation?format=geoparquet'),
        'houses.arrows': await load('/v1/Accommodation?format=arrow'),
        'tags.parquet': await load('/v1/Tag?format=geoparquet&stream=true'),
        'tags.arrows': await load('/v1/Tag?format=arrow&stream=true'),
      })
    })

    it('are the same as Parquet and as Arrow', () => {
      const [houses, sameHouses, tags, sameTags] = found
      expect(houses?.rows).toEqual(sameHouses?.rows)
      expect(tags?.rows).toEqual(sameTags?.rows)
      expect(tags?.rows).toHaveLength(450)
      expect(tags?.rows.find(({ Id }) => Id === 'tag 449')).toMatchObject({
        _Other: '{"OnlyTheLastHasThis":449}',
      })
    })

    it('have the values and the geometries of the records', () => {
      expect(found[0]?.rows.map(({ Id }) => Id)).toEqual(['A2', 'A1', 'A4'])
      const point = Buffer.alloc(29)
      point.writeUInt8(1)
      point.writeUInt32LE(1001, 1)
      for (const [place, value] of [11.35, 46.5, 240].entries()) {
        point.writeDoubleLE(value, 5 + place * 8)
      }
      expect(found[0]?.rows[1]).toMatchObject({
        ...{ Shortname: oddName, Active: true, 'AccoDetail.de.Name': 'Größe', TagIds: '["x","y"]' },
        ...{ bbox: { xmin: 11.35, ymin: 46.5, xmax: 11.35, ymax: 46.5 } },
        ...{ LastChange: '2026-11-20T10:00:00+00:00', geometry: point.toString('base64') },
      })
      expect(found[0]?.rows[0]).toMatchObject({ 'AccoOverview.TotalRooms': 12, geometry: null })
    })

    it('have the types of the schema', () => {
      const sides = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => `${side}: double not null`)
      const bounds = `struct<${sides.join(', ')}>`
      const types = {
        ...{ Shortname: ['string', ''], Active: ['bool', ''], bbox: [bounds, ''] },
        ...{ LastChange: ['timestamp[ms, tz=UTC]', ''], 'AccoOverview.TotalRooms': ['double', ''] },
      }
      expect(found[0]?.fields).toMatchObject(types)
      expect(found[1]?.fields).toMatchObject({ ...types, geometry: ['binary', 'geoarrow.wkb'] })
      expect(found[0]?.geo).toMatchObject({ version: '1.1.0', primary_column: 'geometry' })
    })
  })
})
