import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'
import { makeBackup } from './backup-file.ts'
import { placeOfBackup } from './places.ts'

describeWithDatabase('A backup', (database) => {
  it('holds few long values in memory at once', async () => {
    await database().execute(sql`
      insert into message (id, stream, received, sender, may_backdate, body, sha256)
      select gen_random_uuid(), 's/s', now(), 'a', false, (
          select string_agg(sha256((number || ' ' || place)::bytea), '')
          from generate_series(1, 31250) as place), ''
      from generate_series(1, 24) as number`)
    let longest = 0
    const transaction: Database['transaction'] = (work) =>
      database().transaction((tx) =>
        work({
          ...tx,
          copyOut: async (statement) => {
            const rows = (await tx.copyOut?.(statement)) ?? Buffer.alloc(0)
            longest = Math.max(longest, rows.length)
            return rows
          },
        }),
      )
    const folder = await mkdtemp(join(tmpdir(), 'hub-backup-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const access = { region: 'auto', keyId: '', secret: '', fetch }
    const { tables } = await makeBackup({
      database: { ...database(), transaction },
      place: placeOfBackup({ place: folder, ...access }),
      ...{ version: '1', now: new Date('2026-11-20T12:00:00Z') },
    })
    expect(tables.find(({ name }) => name === 'message')).toMatchObject({ rows: 24 })
    // COPY writes each byte of a body as two characters.
    expect(longest).toBeLessThan(10_000_000)
  })
})
