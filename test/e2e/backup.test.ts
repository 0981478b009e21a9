import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationsDirectory } from '../../src/compose/environment.ts'
import { showExamples } from '../../src/compose/demo.ts'
import { identifier, sql } from '../../src/sql/index.ts'
import { migrate } from '../../src/storage/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { retireBy } from '../../src/timeseries/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import { withDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOn, describeOnBothEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { noFiles, operator } from '../fixtures/old-months.ts'
import { runHub } from '../fixtures/run-hub.ts'
import { silentLog } from '../fixtures/silent-log.ts'

/**
 * Tables that a restore rebuilds, because they depend on the database or hold what the hub computes
 * or runs there.
 */
const ofPlace = ['migration', 'node', 'content_index', 'feed_epoch']

/**
 * Returns the number of rows and their digest for every table, independent of the order of columns.
 */
async function digestsOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const tables = await database.query<{ schema: string; name: string }>(sql`
    select schemaname::text as schema, tablename::text as name from pg_tables
    where schemaname in (current_schema(), 'content', 'measurement_archive')
      and tablename <> all(${[...ofPlace, 'spatial_ref_sys', 'measurement']}::text[])
    order by 1, 2`)
  const digests: Record<string, string> = {}
  for (const { schema, name } of tables) {
    const [row] = await database.query<{ digest: string }>(sql`
      select count(*)::text || ' ' || md5(coalesce(string_agg(row, '' order by row), '')) as digest
      from (
        select to_jsonb(one)::text collate "C" as row
        from ${identifier(schema)}.${identifier(name)} as one
      ) as rows`)
    digests[`${schema}.${name}`] = row?.digest ?? ''
  }
  return digests
}

/** Returns the definitions of all indexes, triggers and foreign keys. */
const shapeOf = (database: Database) =>
  database.texts(sql`
    select pg_get_indexdef(indexrelid) as shape from pg_index join pg_class on oid = indrelid
    where relnamespace in (current_schema()::regnamespace, 'content'::regnamespace)
    union all
    select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all
    select conrelid::regclass::text || pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
    order by 1`)

const awkward = 'tab\t, line\nbreak, \\N, "quotes", (1,2), {a}, ü 🚲, '

describeOnBothEngines('hub backup and hub restore', (engine) => {
  const other = engine === 'embedded' ? 'postgresql' : 'embedded'
  let source: TestDatabase
  let target: TestDatabase
  let folder: string
  let before: Awaited<ReturnType<typeof digestsOf>>
  let shape: Awaited<ReturnType<typeof shapeOf>>

  beforeAll(async () => {
    ;[source, target] = [await cloneDatabase(engine), await cloneDatabase(other, 'empty')]
    folder = join(await mkdtemp(join(tmpdir(), 'hub-backup-')), 'one')
    const hub = await openComposedHub(source.settings, { HUB_PUSH_WORKERS: '0' })
    const { database } = hub.store
    const environment = { now: hub.now, every: () => () => undefined, log: silentLog }
    await showExamples({ hub, config: { HUB_PREFIX: 'Hub' }, environment })
    await database.execute(sql`update station set name = ${awkward}, parent_id = id`)
    await database.execute(sql`
      insert into identity_user (username, password_hash) values (${awkward}, 'hash')`)
    const months = await database.query<{ first: string }>(sql`
      select min(substring(relname from '\\d{4}_\\d\\d$')) as first from pg_class
      where relname like 'measurement_2%' and relkind = 'r'`)
    const oldest = String(months[0]?.first).replace('_', '-')
    const firstKept = new Date(Date.parse(`${oldest}-01`) + 32 * 86_400_000)
    const policy = { firstKept: firstKept.toISOString().slice(0, 7), retirement: 'move' } as const
    expect(
      await retireBy(database, { ...policy, cold: noFiles(database) }, operator),
    ).toMatchObject([{ outcome: 'move' }])
    if (engine === 'embedded') {
      const killed = join(source.settings.HUB_DATA_DIR, '.copy-for-backup-killed')
      await mkdir(killed)
      await utimes(killed, 0, 0)
    }
    const made = await runHub(['backup', folder], source)
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('Backed up the ') })
    before = await digestsOf(database)
    shape = await shapeOf(database)
    await hub.close()
  })
  afterAll(async () => {
    await source.drop()
    await target.drop()
    await rm(join(folder, '..'), { recursive: true })
  })

  it('work while the hub runs, and leave only files that nobody else can read', async () => {
    expect(before['public.station']).toMatch(/^1 /)
    const names = await readdir(folder)
    expect(names).toContain('manifest.json')
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
    if (engine !== 'embedded') return
    const left = await readdir(source.settings.HUB_DATA_DIR)
    expect(left.filter((name) => name.includes('backup'))).toEqual([])
  })

  it('require an empty folder, and refuse a backup that is incomplete or changed', async () => {
    const again = await runHub(['backup', folder], source)
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not empty')])
    const checked = await runHub(['restore', '--check', folder])
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('complete') })
    const none = await runHub(['restore', join(folder, '..')], target)
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('manifest.json is missing')])
    const file = join(folder, 'station.copy.gz')
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(1))
    const changed = await runHub(['restore', folder], target)
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('station.copy.gz')])
    await writeFile(file, whole)
  })

  it('refuse a backup of a newer version', async () => {
    const file = join(folder, 'manifest.json')
    const text = await readFile(file, 'utf8')
    const manifest = JSON.parse(text)
    const { number } = manifest.migrations.at(-1)
    manifest.migrations.push({ number: Number(number) + 1, name: '9999-later.sql', sha256: '' })
    await writeFile(file, JSON.stringify(manifest))
    const { code, err } = await runHub(['restore', folder], target)
    expect([code, err]).toEqual([1, expect.stringContaining('9999-later.sql')])
    await writeFile(file, text)
  })

  it(
    `restore every row on ${other}, with indexes, triggers, foreign keys and sequences`,
    { timeout: 120_000 },
    async () => {
      const restored = await runHub(['restore', folder], target)
      expect([restored.err, restored.code]).toEqual(['', 0])
      expect(restored.out).toContain('Restored the ')
      await withDatabase(target.settings, async (database) => {
        expect(await digestsOf(database)).toEqual(before)
        expect(await shapeOf(database)).toEqual(shape)
        const [station] = await database.query<{ name: string }>(sql`select name from station`)
        expect(station?.name).toBe(awkward)
        // Sequences continue, and foreign keys and triggers are active again.
        await database.execute(sql`
        insert into data_type (name, received) values ('later', now())`)
        const wrong = database.execute(sql`update station set parent_id = -1`)
        await expect(wrong).rejects.toMatchObject({ code: '23503' })
        await expect(database.execute(sql`delete from audit`)).rejects.toThrow()
      })
    },
  )

  it('restore only into an empty database', async () => {
    const { code, err } = await runHub(['restore', folder], target)
    expect([code, err]).toEqual([1, expect.stringContaining('There is a hub in the')])
  })

  it('refuse to repeat an interrupted restore if a hub has started in the meantime', async () => {
    const interrupt = (database: Database) =>
      database.execute(sql`comment on table migration is 'hub.restore.unfinished'`)
    await withDatabase(target.settings, interrupt)
    await (await openComposedHub(target.settings, { HUB_PUSH_WORKERS: '0' })).close()
    const { code, err } = await runHub(['restore', folder], target)
    expect([code, err]).toEqual([1, expect.stringContaining('There is a hub in the')])
  })

  it('invalidate all offsets of change feeds at the next start', async () => {
    const epochOf = (database: Database) => database.texts(sql`select epoch from feed_epoch`)
    const was = await withDatabase(source.settings, epochOf)
    const hub = await openComposedHub(target.settings, { HUB_PUSH_WORKERS: '0' })
    expect((await hub.ask({ url: '/changes/all?offset=now' })).statusCode).toBe(200)
    expect(await epochOf(hub.store.database)).not.toEqual(was)
    await hub.close()
  })
})

/** Number of migrations in the first release. */
const ofFirst = 42

describeOn('postgresql', 'A backup of version 1.0.0', () => {
  it('is restored and migrated to the current version', async () => {
    const source = await cloneDatabase('postgresql', 'empty')
    const target = await cloneDatabase('postgresql', 'empty')
    const folder = join(await mkdtemp(join(tmpdir(), 'hub-backup-')), 'first')
    await withDatabase(source.settings, async (database) => {
      await migrate(database, { directory: migrationsDirectory, log: silentLog, last: ofFirst })
      await database.execute(sql`
        insert into station (type, code, name, available, received)
        values ('ParkingStation', 'p', ${awkward}, true, now())`)
      await database.execute(sql`
        insert into identity_state (model, id, payload, grant_id, expires) values (
          'RefreshToken', 'a token', '{"jti": "a token", "iat": 1}', 'grant', now() + interval '1 hour'),
          ('Grant', 'grant', '{"jti": "grant"}', null, now() + interval '1 hour')`)
    })
    expect(await runHub(['backup', folder], source)).toMatchObject({ code: 0, err: '' })
    expect(await runHub(['restore', folder], target)).toMatchObject({ code: 0, err: '' })
    const hub = await openComposedHub(target.settings, { HUB_PUSH_WORKERS: '0' })
    const list = await hub.ask({ url: '/v2/flat/ParkingStation?select=sname' })
    expect(list.json()).toMatchObject({ data: [{ sname: awkward }] })
    const states = await hub.store.database.texts(
      sql`select id, payload::text from identity_state order by model`,
    )
    const hashed = createHash('sha256').update('a token').digest('hex')
    expect(states).toEqual([
      ['grant', '{}'],
      [hashed, '{"iat": 1}'],
    ])
    await hub.close()
    await Promise.all([source.drop(), target.drop(), rm(join(folder, '..'), { recursive: true })])
  })
})
