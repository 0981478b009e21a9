import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeMessage } from '../../push/accept/store-message.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import { runHub } from '../../../test/fixtures/run-hub.ts'

describeOn('postgresql', 'hub push', () => {
  let clone: TestDatabase
  let database: Database
  let folder: string
  const ids: string[] = []

  /** Runs `hub push <args>` like a user. */
  const push = (...args: readonly string[]) => runHub(['push', ...args], clone)

  const store = async (stream: string, received: string, state: string) => {
    const id = randomUUID()
    const body = Buffer.from(`body of ${stream}`)
    await storeMessage(database, {
      ...{ id, stream, received: new Date(received), sender: 'provider', mayBackdate: false },
      ...{ contentType: 'text/plain', headers: { 'user-agent': 'x' }, body, packed: undefined },
      sha256: createHash('sha256').update(body).digest(),
    })
    await database.execute(sql`update message set state = ${state}, attempts = 3 where id = ${id}`)
    ids.push(id)
  }

  const states = async () => {
    const rows = await database.query<{ state: string }>(
      sql`select state from message order by received`,
    )
    return rows.map(({ state }) => state)
  }

  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
    folder = await mkdtemp(join(tmpdir(), 'hub-push-'))
    await store('a/x', '2026-11-01T00:00:00Z', 'visible')
    await store('a/y', '2026-11-02T00:00:00Z', 'dead')
    await store('b/x', '2026-11-03T00:00:00Z', 'rejected')
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  it('list and dead show messages by stream, state and time', async () => {
    const listed = async (...args: readonly string[]) => {
      const { code, out } = await push(...args, '--json')
      expect(code).toBe(0)
      const rows: readonly { readonly id: string }[] = JSON.parse(out)
      return rows.map(({ id }) => ids.indexOf(id))
    }
    expect(await listed('list')).toEqual([2, 1, 0])
    expect(await listed('list', '--stream', 'a/*', '--from', '2026-11-02')).toEqual([1])
    expect(await listed('dead')).toEqual([1])
    const { out } = await push('list', '--state', 'visible', '--to', '2026-11-02T00:00Z')
    expect(out).toContain(ids[0])
    const wrong = await push('list', '--state', 'lost')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('visible')])
  })

  it('show prints the details of a message, and writes its body', async () => {
    const { code, out } = await push('show', ids[0] ?? '')
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      {
        stream: 'a/x',
        state: 'visible',
        contentType: 'text/plain',
        headers: { 'user-agent': 'x' },
      },
    ])
    const file = join(folder, 'body')
    expect(await push('show', ids[0] ?? '', '--output', file)).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toBe('body of a/x')
    expect(await push('show', randomUUID())).toMatchObject({ code: 1 })
  })

  it('replay requeues messages, and requires a selection', async () => {
    expect(await push('replay')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--stream'),
    })
    expect(await push('replay', 'no-id')).toMatchObject({ code: 2 })
    expect((await push('replay', ids[0] ?? '')).out).toContain('replay: 1.')
    expect(await states()).toEqual(['accepted', 'dead', 'rejected'])
    await push('replay', '--stream', 'b/x', '--from', '2026-11-03', '--to', '2026-11-04')
    expect(await states()).toEqual(['accepted', 'dead', 'accepted'])
  })

  it('dead deletes only dead messages', async () => {
    expect((await push('dead', '--delete')).out).toContain('deleted: 1.')
    expect(await states()).toEqual(['accepted', 'accepted'])
  })

  it('stream changes single settings of a stream, and lists them', async () => {
    await push('stream', 'a/x', '--ordered', 'on', '--keep-days', '7')
    await push('stream', '/a/x', '--media-types', 'application/json, text/csv')
    expect(JSON.parse((await push('stream', '--json')).out)).toEqual([
      {
        stream: 'a/x',
        isOrdered: true,
        keepDays: 7,
        mediaTypes: ['application/json', 'text/csv'],
      },
    ])
    expect(await push('stream', 'a/*', '--ordered', 'on')).toMatchObject({ code: 2 })
    expect(await push('stream', 'a/x', '--keep-days', 'many')).toMatchObject({ code: 2 })
  })

  it('stream shows the settings of one stream without storing any', async () => {
    const shown = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await push('stream', ...args, '--json')).out)
    const settings = { stream: 'z/x', isOrdered: false, keepDays: null, mediaTypes: null }
    expect(await shown('z/x')).toEqual([settings])
    expect(await shown()).not.toContainEqual(settings)
    expect(await shown('z/x', '--keep-days', '7')).toEqual([{ ...settings, keepDays: 7 }])
    expect(await shown('z/x')).toEqual([{ ...settings, keepDays: 7 }])
  })
})
