import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { openKeyStore, rotateKeys } from '../identity/index.ts'
import { sql } from '../sql/index.ts'
import { openSecrets, sealStored } from './index.ts'

const newKey = () => randomBytes(32).toString('base64')
const [first, second] = [newKey(), newKey()]

describe('Secrets', () => {
  it('are encrypted differently each time, and decrypted with any of the keys', () => {
    const old = openSecrets([first])
    const [one, two] = [old.seal('whsec_ü'), old.seal('whsec_ü')]
    expect(one).toMatch(/^sealed:[0-9a-f]{8}:[\w-]{40,}$/)
    expect(one).not.toBe(two)
    const rotated = openSecrets([second, first])
    expect([one, two, 'whsec_ü'].map(rotated.open)).toEqual(['whsec_ü', 'whsec_ü', 'whsec_ü'])
    expect([one, rotated.seal(''), 'whsec_ü'].map(rotated.isCurrent)).toEqual([false, true, false])
    expect(openSecrets(['plain', first]).seal('open')).toBe('open')
    expect(openSecrets(['plain', first]).open(one)).toBe('whsec_ü')
  })

  it('are not decrypted if changed or without their key, which the error does not show', () => {
    const stored = openSecrets([first]).seal('hidden')
    const flip = (letter = '') => (letter === 'A' ? 'B' : 'A')
    const [nonce, tag] = [16, stored.length - 5].map((at) => {
      return `${stored.slice(0, at)}${flip(stored[at])}${stored.slice(at + 1)}`
    })
    for (const wrong of [nonce, tag])
      expect(() => openSecrets([first]).open(wrong ?? '')).toThrow(/authenticate/)
    for (const keys of [[], [second]]) {
      const read = () => openSecrets(keys).open(stored)
      expect(read).toThrow(/HUB_KEY.*docs\/backup\.md/)
      expect(read).not.toThrow(second)
    }
  })
})

describeWithDatabase('Secrets in the database', (database) => {
  /** Returns the stored secrets of all tables. */
  const stored = async () => {
    const rows = await database().texts(sql`
      select private_jwk from identity_key union all select secret from change_subscription
      union all select secret from feed_epoch union all select value from deployment where name like 'secret %'`)
    return rows.map(([value]) => value ?? '')
  }
  const keysOf = async (keys: readonly string[]) => {
    const secrets = openSecrets(keys)
    const store = await openKeyStore({ database: database(), now: () => new Date(), secrets })
    return (await store.current()).keys
  }

  it('are encrypted once when several nodes start, and keep their values', async () => {
    const [signing] = await keysOf([])
    await database().execute(sql`
      insert into deployment (name, value) values ('secret of published identifiers', 'hidden')`)
    await database().execute(sql`
      insert into change_subscription (feed, datasets, url, secret, subject, client, name, roles, created, xid,
        sequence, time, examined, rights)
      values ('Event', '{}', '', 'whsec_', '', '', '', '{}', now(), '1', 1, 1, now(), '')`)
    const before = await stored()
    expect(before).toHaveLength(4)
    await Promise.all([1, 2].map(() => sealStored(database(), openSecrets([first]))))
    const after = await stored()
    expect(after.filter((value) => value.startsWith('sealed:'))).toHaveLength(4)
    expect(after.map(openSecrets([first]).open)).toEqual(before)
    expect(await keysOf([first])).toEqual([signing])
    await sealStored(database(), openSecrets([first]))
    expect(await stored()).toEqual(after)
  })

  it('are not changed by a start without their key', async () => {
    const before = await stored()
    for (const keys of [[], [second]])
      await expect(sealStored(database(), openSecrets(keys))).rejects.toThrow('HUB_KEY')
    expect(await stored()).toEqual(before)
  })

  it('change their key while nodes with both keys run', async () => {
    const rotate = (keys: readonly string[], now: Date) =>
      database().transaction((tx) => rotateKeys(tx, 'keep', { now, secrets: openSecrets(keys) }))
    await sealStored(database(), openSecrets([second, first]))
    // A node that was not restarted still encrypts with the earlier key.
    await rotate([first, second], new Date())
    expect(await keysOf([second, first])).toHaveLength(2)
    expect(await keysOf([first, second])).toEqual(await keysOf([second, first]))
    await sealStored(database(), openSecrets([second, first]))
    expect(await keysOf([second])).toHaveLength(2)
    await sealStored(database(), openSecrets(['plain', second]))
    expect((await stored()).filter((value) => value.startsWith('sealed:'))).toEqual([])
  })
})
