import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { Sql, sql } from '../sql/index.ts'
import { setOf } from './table.ts'
import { accommodation } from './entities/accommodation.ts'
import { toNaming } from './naming.ts'
import { syncEntityTables } from './sync-tables.ts'

const entity = accommodation(toNaming('Hub'))
const here = { Latitude: 46, Longitude: 11 }
const longest = 'x'.repeat(2000)

describeWithDatabase('the columns of a table', (database) => {
  const tagsOf = async (id: string) => {
    const rows = await database().query<{ tags: readonly string[] }>(
      sql`select tag_ids as tags from content.accommodation where id = ${id}`,
    )
    return rows[0]?.tags
  }
  const write = (id: string, data: object) =>
    database().execute(sql`
      insert into content.accommodation (id, data, received)
      values (${id}, ${JSON.stringify(data)}::jsonb, now())
      on conflict (id) do update set data = excluded.data`)

  const closedOf = async (id: string) => {
    const rows = await database().query<{ closed: boolean }>(
      sql`select closed from content.accommodation where id = ${id}`,
    )
    return rows[0]?.closed
  }

  beforeAll(() => syncEntityTables(database(), [entity]))

  it('are computed from the record on every write, and cannot be set', async () => {
    await write('A', { TagIds: ['a'] })
    expect(await tagsOf('A')).toEqual(['a'])
    await write('A', { TagIds: ['b'], Tags: [{ Id: 'c' }] })
    expect(await tagsOf('A')).toEqual(['b', 'c'])
    await database().execute(sql`
      update content.accommodation set data = data - 'TagIds', tag_ids = '{x}' where id = 'A'`)
    expect(await tagsOf('A')).toEqual(['c'])
  })

  it.each([
    ['true', true],
    [' True ', true],
    ['\t1\r\n\f\v', true],
    [1, true],
    [' false', false],
    ['0 ', false],
    [null, false],
  ])('mark a record with the ClosedData %j as closed: %j', async (written, closed) => {
    await write('FLAG', { LicenseInfo: { ClosedData: written } })
    expect(await closedOf('FLAG')).toBe(closed)
  })

  it.each([
    ['2026-01-01T10:00:00Z', '10:00:00'],
    ['2026-01-01 10:00Z', '10:00:00'],
    ['2026-01-01 10:00:00.5+01:00', '09:00:00.5'],
    ['2026-01-01 10:00', '10:00:00'],
    ['2026-01-01', '00:00:00'],
  ])('contain the time of %s', async (written, time) => {
    await write('TIME', { LastChange: written })
    const rows = await database().texts(
      sql`select (last_change at time zone 'UTC')::text from content.accommodation where id = 'TIME'`,
    )
    expect(rows).toEqual([[`2026-01-01 ${time}`]])
  })

  const altitudeOf = async (id: string) => {
    const rows = await database().query<{ altitude: number | null }>(
      sql`select altitude from content.accommodation where id = ${id}`,
    )
    return rows[0]?.altitude
  }

  it.each([
    [0.300_000_000_000_000_04, 0.300_000_000_000_000_04],
    [-1e-7, -1e-7],
    [1e21, 1e21],
    [Number.MIN_VALUE, 0],
    ['-0,30000000000000004', -0.300_000_000_000_000_04],
    ['1e3', null],
    ['12.5 m', null],
    [true, null],
  ])('contain the number %j as %j', async (written, wanted) => {
    await write('NUMBER', { Altitude: written })
    expect(await altitudeOf('NUMBER')).toBe(wanted)
  })

  it('are corrected by migration 51 for long numbers', async () => {
    const file = new URL('../../migrations/0051-long-numbers-and-late-events.sql', import.meta.url)
    await write('LONG', { Altitude: 0.1 + 0.2, Latitude: 46, Longitude: 11 })
    await write('SHORT', { Altitude: 1, Latitude: 46, Longitude: 11 })
    const versionOf = () =>
      database().texts(sql`select xmin::text from content.accommodation where id = 'SHORT'`)
    const same = await versionOf()
    await database().execute(
      sql`update content.accommodation set altitude = null, position = null where id = 'LONG'`,
    )
    await database().execute(Sql.fromTemplate([await readFile(file, 'utf8')], []))
    const rows = await database().texts(
      sql`select altitude, st_astext(position) from content.accommodation where id = 'LONG'`,
    )
    expect(rows).toEqual([['0.30000000000000004', 'POINT(11 46)']])
    expect(await versionOf()).toEqual(same)
  })

  it('are corrected by migration 50 for booleans and times with spaces', async () => {
    const file = new URL('../../migrations/0050-flags-and-times-with-spaces.sql', import.meta.url)
    const rowsOf = (id: string) =>
      database().texts(sql`
        select closed::text, last_change::text, xmin::text from content.accommodation where id = ${id}`)
    const closed = { LicenseInfo: { ClosedData: '\vtrue' } }
    await write('MEND', { ...closed, LastChange: '2026-01-01 10:00Z' })
    await write('SAME', closed)
    const [right, same] = [await rowsOf('MEND'), await rowsOf('SAME')]
    await database().execute(sql`
      update content.accommodation set closed = false, last_change = null where id = 'MEND'`)
    // An entity without a table, such as one whose table somebody has dropped, is ignored.
    await database().execute(sql`
      insert into content_column (entity, name, definition)
      values ('gone', 'closed', 'boolean content_flag(data) by trigger')`)
    await database().execute(Sql.fromTemplate([await readFile(file, 'utf8')], []))
    expect((await rowsOf('MEND'))[0]?.slice(0, 2)).toEqual(right[0]?.slice(0, 2))
    expect(await rowsOf('SAME')).toEqual(same)
  })

  it.each<readonly [unknown, readonly string[]]>([
    [undefined, []],
    [null, []],
    ['one', ['one']],
    [7, []],
    [
      ['a b', '', 1, null, {}, '{"q"}', String.raw`\n`, 'ü,'],
      ['a b', '{"q"}', String.raw`\n`, 'ü,'],
    ],
    [
      [longest, `${longest}x`, 'short'],
      [longest, 'short'],
    ],
  ])('contain the texts of the list %j that an index accepts', async (TagIds, wanted) => {
    await write('B', { TagIds })
    expect(await tagsOf('B')).toEqual(wanted)
  })

  it.each<readonly [object, string | null]>([
    [{ Latitude: 46, Longitude: 11 }, 'POINT(11 46)'],
    [{ Latitude: [46], Longitude: 11 }, null],
    [{ Latitude: 46, Longitude: '11' }, 'POINT(11 46)'],
    [
      { GpsInfo: [{ Gpstype: 'position', Latitude: '46,5', Longitude: '11.5' }] },
      'POINT(11.5 46.5)',
    ],
    [{ Geo: { position: { Latitude: '46', Longitude: '11', Default: 'true' } } }, 'POINT(11 46)'],
    [{ GpsInfo: [{ Gpstype: 'viewpoint', Latitude: '46,5', Longitude: '11.5' }] }, null],
    [{ Latitude: 46, Longitude: 'east' }, null],
    [{ Latitude: '96', Longitude: '11' }, null],
    [{ Longitude: 'none', latitude: 46, longitude: 11 }, 'POINT(11 46)'],
    [
      { GpsInfo: [{ Gpstype: 'position', Latitude: [1], Longitude: [2] }], ...here },
      'POINT(11 46)',
    ],
    [{ GpsInfo: { Gpstype: 'position', ...here } }, 'POINT(11 46)'],
    [{ Geo: { a: { Default: [true], ...here } } }, 'POINT(11 46)'],
    [{ GpsPoints: { position: here } }, 'POINT(11 46)'],
  ])('contain the position of %j if it is valid', async (record, wanted) => {
    await write('P', record)
    const rows = await database().query<{ position: string | null }>(
      sql`select st_astext(position) as position from content.accommodation where id = 'P'`,
    )
    expect(rows).toEqual([{ position: wanted }])
  })

  it('need about the same time for records with and without a position', async () => {
    const store = async (data: object, name: string) => {
      const began = performance.now()
      await database().execute(sql`
        insert into content.accommodation (id, data, received)
        select ${name} || i, ${JSON.stringify(data)}::jsonb, now() from generate_series(1, 200) as i`)
      return performance.now() - began
    }
    const least = async (data: object, name: string) => {
      const took: number[] = []
      for (const run of ['1-', '2-', '3-', '4-']) took.push(await store(data, name + run))
      return Math.min(...took)
    }
    const placed = await least({ GpsInfo: [{ Gpstype: 'position', ...here }] }, 'placed')
    // Functions that were planned for each record took six to twelve times as long.
    expect((await least({ GpsInfo: [] }, 'empty')) / placed).toBeLessThan(3)
    expect((await least({}, 'none')) / placed).toBeLessThan(3)
  })

  it('are computed again when their definition changes, for existing and new records', async () => {
    await write('C', { TagIds: ['a'], Others: ['o'] })
    const columns = { ...entity.columns, tag_ids: setOf('Others') }
    await syncEntityTables(database(), [{ ...entity, columns }])
    expect(await tagsOf('C')).toEqual(['o'])
    await write('D', { TagIds: ['a'], Others: ['p'] })
    expect(await tagsOf('D')).toEqual(['p'])
  })
})
