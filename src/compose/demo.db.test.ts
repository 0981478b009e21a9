import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { loadConfig } from '../config/index.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { planRegion } from '../demo/index.ts'
import { storeClient } from '../identity/index.ts'
import type { StoredClient } from '../identity/index.ts'
import { canonicalKinds, canonicalPipeline } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { openSecrets, recordChanges } from '../storage/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { assertLoopback, findForeignData, markDemo, planDemo, showExamples } from './demo.ts'

const naming = toNaming('Hub')
const entities = entitiesOf(naming)
const pipelines = [canonicalPipeline(canonicalKinds(entities))]
const publicUrl = 'http://hub.test'
const scale = 0.05
const config = { HUB_PREFIX: 'Hub' }

/** Starts the demo at a minute past noon. `onStep` is called at each step of its progress. */
function start(database: Database, minute: number, onStep: (done: number) => void) {
  const hub = { store: { database, entities, pipelines, secrets: openSecrets() }, publicUrl }
  const now = () => new Date(Date.UTC(2026, 10, 20, 12, minute))
  const environment = { now, every: () => () => undefined, log: silentLog }
  const progress = () => ({ update: onStep, stop: () => undefined })
  return planDemo({ hub, config, environment, progress }, { seed: 1, scale })
}

async function count(database: Database, table: 'measurement' | 'station' | 'event') {
  const from = { measurement: sql`measurement`, station: sql`station`, event: sql`mobility_event` }
  const [row] = await database.query<{ n: number }>(
    sql`select count(*)::integer as n from ${from[table]}`,
  )
  return row?.n ?? 0
}

describeWithDatabase('Loading the region', (database) => {
  it(
    'stops soon after a request to stop, and the next start completes it without duplicates',
    { timeout: 180_000 },
    async () => {
      const steps: number[] = []
      const first = await start(database(), 0, (done) => {
        steps.push(done)
        void first.stop()
      })
      expect(await first.loadPresent()).toBe('stopped')
      expect(steps).toHaveLength(1)
      expect(await first.loadHistory()).toBe('stopped')
      expect(await count(database(), 'measurement')).toBe(0)

      const second = await start(database(), 10, () => undefined)
      expect(await second.loadPresent()).toBe('complete')
      let seen = 0
      const third = await start(database(), 20, () => {
        seen += 1
        if (seen === 2) void third.stop()
      })
      expect(await third.loadPresent()).toBe('complete')
      expect(seen).toBe(0)
      expect(await third.loadHistory()).toBe('stopped')
      const some = await count(database(), 'measurement')
      expect(some).toBeGreaterThan(0)

      const fourth = await start(database(), 30, () => undefined)
      expect(await fourth.loadHistory()).toBe('complete')
      // The history ends at the time of the second start, which loaded the region.
      const until = new Date(Date.UTC(2026, 10, 20, 12, 10))
      const { size } = planRegion({ seed: 1, scale, until, naming, publicUrl })
      expect(await count(database(), 'measurement')).toBe(size.measurements)
      expect(await count(database(), 'event')).toBe(size.events)
      expect(await count(database(), 'station')).toBe(size.stations + size.edges)
      expect(some).toBeLessThan(size.measurements)
    },
  )
})

describeWithDatabase('A demo without the region', (database) => {
  it('shows one example of each kind of data, and never duplicates or restores any', async () => {
    const hub = {
      store: { database: database(), entities, pipelines, secrets: openSecrets() },
      publicUrl,
    }
    const environment = { now: () => new Date(), every: () => () => undefined, log: silentLog }
    await showExamples({ hub, config, environment })
    const all = async () => [
      await count(database(), 'station'),
      await count(database(), 'measurement'),
      await count(database(), 'event'),
      await database().query(sql`select id from content.hubactivitypoi`),
    ]
    const shown = [1, 1, 1, [{ id: 'example-museum' }]]
    expect(await all()).toEqual(shown)
    await database().execute(sql`delete from measurement`)
    await showExamples({ hub, config, environment })
    expect(await all()).toEqual([1, 0, 1, [{ id: 'example-museum' }]])
  })
})

describeWithDatabase('A message of the demo that fails with a deadlock', (database) => {
  it('is retried and stored, unless it fails again and again', async () => {
    const collideUntil = async (last: number) => {
      await database().execute(sql`alter sequence attempt restart`)
      await database().execute(sql`update collision set last = ${last}`)
    }
    await database().execute(sql`create sequence attempt`)
    await database().execute(sql`create table collision as select 0 as last`)
    await database().execute(sql`
      create function collide() returns trigger language plpgsql as $$
      begin
        if nextval('attempt') <= (select last from collision) then
          raise sqlstate '40P01';
        end if;
        return null;
      end $$`)
    await database().execute(sql`
      create trigger collide before insert on data_type for each statement execute function collide()`)
    const hub = {
      store: { database: database(), entities, pipelines, secrets: openSecrets() },
      publicUrl,
    }
    const environment = { now: () => new Date(), every: () => () => undefined, log: silentLog }

    await collideUntil(1000)
    await expect(showExamples({ hub, config, environment })).rejects.toMatchObject({
      code: '40P01',
    })
    expect(await count(database(), 'station')).toBe(0)
    await collideUntil(2)
    await showExamples({ hub, config, environment })
    expect(await count(database(), 'station')).toBe(1)
  })
})

const client: StoredClient = {
  clientId: 'kiosk',
  secret: null,
  enabled: true,
  grantTypes: ['client_credentials'],
  redirectUris: [],
  logoutUris: [],
  roles: [],
  clientRoles: {},
  scopeRoles: null,
  refreshSeconds: null,
}

const pushFrom = (sender: string): Sql => sql`
  insert into message (id, stream, received, sender, may_backdate, body, sha256)
  values (gen_random_uuid(), 'a/b', now(), ${sender}, false, ''::bytea, ''::bytea)`

const change = (tx: Transaction) =>
  recordChanges(tx, { area: 'content', dataset: 'Event', kind: 'upsert', ids: ['E1'] })

describeWithDatabase('The demo on a database', (database: () => Database) => {
  const undone = new Error('rolled back')
  /** Returns what is found after some work, which is then rolled back. */
  const foundAfter = async (work: (tx: Transaction) => Promise<unknown>) => {
    let found: readonly string[] = []
    const looked = database().transaction(async (tx) => {
      await work(tx)
      found = await findForeignData(tx)
      throw undone
    })
    await expect(looked).rejects.toBe(undone)
    return found
  }

  it('finds no foreign data in an empty database', async () => {
    expect(await findForeignData(database())).toEqual([])
    const bare = await foundAfter(async (tx) => {
      await tx.execute(sql`create schema bare`)
      await tx.execute(sql`set local search_path = bare`)
    })
    expect(bare).toEqual([])
  })

  it('finds data, clients and messages of others', async () => {
    expect(await foundAfter(change)).toEqual(['data (Event)'])
    expect(await foundAfter((tx) => storeClient(tx, client))).toEqual(['clients (kiosk)'])
    expect(await foundAfter((tx) => tx.execute(pushFrom('kiosk')))).toEqual([
      'messages from (kiosk)',
    ])
  })

  it('treats later data as its own, but not the clients or messages of others', async () => {
    const own = (tx: Transaction) => markDemo(tx, [])
    expect(
      await foundAfter(async (tx) => {
        await own(tx)
        await change(tx)
        for (const sender of ['demo', 'demo-provider', 'demo-admin', 'hub-explorer'])
          await tx.execute(pushFrom(sender))
      }),
    ).toEqual([])
    const mixed = await foundAfter(async (tx) => {
      await own(tx)
      await storeClient(tx, client)
      await tx.execute(pushFrom('kiosk'))
      await tx.execute(pushFrom('import'))
    })
    expect(mixed).toEqual(['clients (kiosk)', 'messages from (import, kiosk)'])
  })

  it('recognises a database that it filled before it left a mark', async () => {
    const earlier = await foundAfter(async (tx) => {
      await tx.execute(sql`insert into deployment values ('demo present of seed 1', '2026-11-20')`)
      await change(tx)
    })
    expect(earlier).toEqual([])
  })

  it('remembers the foreign data of a database on which it was forced', async () => {
    const forced = await foundAfter(async (tx) => {
      await change(tx)
      await markDemo(tx, ['data (Event)'])
      await markDemo(tx, [])
      await tx.execute(sql`insert into deployment values ('demo present of seed 1', '2026-11-20')`)
    })
    expect(forced).toEqual(['data (Event)'])
  })
})

it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('The demo may listen on %s', (host) => {
  expect(() => {
    assertLoopback(loadConfig({ HUB_HOST: host }))
  }).not.toThrow()
})

it.each(['0.0.0.0', '::', '192.168.0.7', 'hub.example', '127.example'])(
  'The demo may not listen on %s, which others can reach',
  (host) => {
    expect(() => {
      assertLoopback(loadConfig({ HUB_HOST: host }))
    }).toThrow(/hub serve[^]*--really/)
  },
)
