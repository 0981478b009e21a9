import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, postgresqlSettings } from '../../../test/fixtures/database-settings.ts'
import { describeOn, useDatabase } from '../../../test/fixtures/databases.ts'
import { noFiles } from '../../../test/fixtures/old-months.ts'
import { prepare } from '../../../test/fixtures/prepare.ts'
import { runHub } from '../../../test/fixtures/run-hub.ts'
import { fillRegion, hashOfExports } from '../../../test/fixtures/small-region.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { distribute, distributeMeasurements, isDistributed } from './distribute.ts'
import { makePartitions } from './keep-partitions.ts'
import { listPartitions } from './months.ts'
import { retirePartitions } from './retire-partitions.ts'

const distributedMonths = async (database: Database) => {
  const rows = await database.texts(sql`
    select logicalrelid::text from pg_dist_partition where logicalrelid::text like 'measurement\\_%'`)
  return rows.flatMap(([name]) => name ?? []).sort()
}

describeOn('postgresql', 'hub migrate --distribute', () => {
  const database = useDatabase('postgresql')

  it('reports a server without Citus, suggests a remedy and changes nothing', async () => {
    const url = await database().texts(sql`select current_database(), current_setting('port')`)
    const [name, port] = url[0] ?? []
    const settings = { DATABASE_URL: `postgres://postgres@localhost:${port ?? ''}/${name ?? ''}` }
    const { code, out, err } = await runHub(['migrate', '--distribute'], { settings })
    expect([code, out]).toEqual([1, 'The database is up to date.\n'])
    expect(err).toContain('does not have the extension citus, so nothing was distributed')
    expect(err).toContain('shared_preload_libraries')
    expect(await isDistributed(database())).toBe(false)
  })

  it('distributes the tables in order, without foreign keys to local tables', async () => {
    const asked = await withoutCitus(database())
    expect(asked.filter((one) => !one.startsWith('function'))).toEqual([
      ...['reference data_type', 'reference provenance', 'reference series'],
      ...['measurement by series_id with none', 'latest by series_id with measurement'],
    ])
    expect(asked).toContain('function latest_key(text,text,integer,text)')
    expect(asked.join()).not.toMatch(/function (rights_of|station_types|note_|st_)/)
  })
})

class Undone extends Error {
  readonly asked: readonly string[]

  constructor(asked: readonly string[]) {
    super('undone')
    this.asked = asked
  }
}

/**
 * Returns what `distribute` requests from Citus, recorded by functions of the same names.
 * Everything is rolled back.
 */
async function withoutCitus(database: Database): Promise<readonly string[]> {
  const work = database.transaction(async (tx) => {
    await tx.execute(sql`create schema citus`)
    await tx.execute(sql`create table citus.asked (place serial, what text)`)
    await tx.execute(sql`
      create function citus.create_reference_table(regclass) returns void language sql
      as $$ insert into citus.asked (what) values ('reference ' || $1) $$`)
    await tx.execute(sql`
      create function citus.create_distributed_table(regclass, text, colocate_with text) returns void
      language sql
      as $$ insert into citus.asked (what) values ($1 || ' by ' || $2 || ' with ' || $3) $$`)
    await tx.execute(sql`
      create function citus.create_distributed_function(regprocedure) returns void language sql
      as $$ insert into citus.asked (what) values ('function ' || $1) $$`)
    await tx.execute(sql`set local search_path = public, citus`)
    await distribute(tx)
    const keys = await tx.query(sql`
      select from pg_constraint where contype = 'f' and
        ('series'::regclass in (conrelid, confrelid) and conrelid <> confrelid
          or 'provenance'::regclass in (conrelid, confrelid))
        and not (conrelid = 'series'::regclass and confrelid = 'data_type'::regclass)`)
    expect(keys).toEqual([])
    const rows = await tx.texts(sql`select what from citus.asked order by place`)
    throw new Undone(rows.flatMap(([what]) => what ?? []))
  })
  return work.catch((error: unknown) => {
    if (error instanceof Undone) return error.asked
    throw error
  })
}

/** URL of an empty database on a cluster whose nodes already know of each other. */
const citus = process.env['TEST_CITUS_URL']

describe.skipIf(citus === undefined)(
  `Measurements on Citus${citus === undefined ? ' [not run: no TEST_CITUS_URL]' : ''}`,
  () => {
    let database: Database
    beforeAll(async () => {
      database = await openTestDatabase(postgresqlSettings(citus ?? ''))
      await prepare(database)
      await fillRegion(database)
    })
    afterAll(() => database.close())

    it('are unchanged after distribution, including their months', async () => {
      const before = await hashOfExports(database)
      expect(await distributeMeasurements(database)).toMatchObject({ outcome: 'distributed' })
      expect(await hashOfExports(database)).toBe(before)
      expect(await distributeMeasurements(database)).toMatchObject({ outcome: 'already' })
      const months = (await listPartitions(database)).map(({ name }) => name)
      expect(await distributedMonths(database)).toEqual(months.sort())
    }, 600_000)

    it('are stored as before; new months are distributed and can be retired', async () => {
      await fillRegion(database)
      await makePartitions(database, { first: '2019-12', last: '2020-01' })
      expect(await distributedMonths(database)).toContain('measurement_2019_12')
      const policy = { firstKept: '2020-01', retirement: 'drop' } as const
      expect(
        await retirePartitions(database, { ...policy, cold: noFiles(database) }),
      ).toContainEqual({
        ...{ name: 'measurement_2019_12', outcome: 'drop' },
      })
    }, 600_000)
  },
)
