import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { loadConfig } from '../config/index.ts'
import { storeClient } from '../identity/index.ts'
import type { StoredClient } from '../identity/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { recordChanges } from '../storage/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { assertLoopback, findForeignData, markDemo } from './guard-demo.ts'

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
  /** What is found after some work, which is undone. */
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

  it('finds nothing foreign where nothing is', async () => {
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

  it('takes for its own what came after it to an empty database, but no accounts or pushes', async () => {
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

  it('knows a database that it filled before it left a mark', async () => {
    const earlier = await foundAfter(async (tx) => {
      await tx.execute(sql`insert into deployment values ('demo present of seed 1', '2026-11-20')`)
      await change(tx)
    })
    expect(earlier).toEqual([])
  })

  it('remembers that a database was foreign when it was forced onto it', async () => {
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
  'The demo may not listen on %s, where others reach it',
  (host) => {
    expect(() => {
      assertLoopback(loadConfig({ HUB_HOST: host }))
    }).toThrow(/hub serve[^]*--really/)
  },
)
