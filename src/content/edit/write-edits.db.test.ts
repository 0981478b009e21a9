import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { accommodation } from '../entities/accommodation.ts'
import { toNaming } from '../naming.ts'
import { tableOf } from '../table.ts'
import { writeEdits } from './write-edits.ts'
import type { WrittenRecord } from './write-edits.ts'

const entity = accommodation(toNaming('Hub'))
const principal = {
  kind: 'verified',
  ...{ subject: 'editor', client: 'editor', name: 'editor', token: '' },
  roles: new Set<string>(),
} as const

describeWithDatabase('Writing edits', (database) => {
  const create = <Report>(
    id: string,
    report: (records: readonly WrittenRecord[]) => Report,
    mode: 'write' | 'try' = 'write',
  ) => {
    const deps = { database: database(), publicUrl: 'https://hub.test', now: () => new Date() }
    const writing = {
      entity,
      edits: [{ operation: 'Create', id, record: { Id: id }, hasNewId: false }] as const,
      editor: { principal, referer: undefined, requestId: crypto.randomUUID() },
      visibility: { kind: 'everything' } as const,
      conditions: {},
      mode,
    }
    return writeEdits(deps, writing, async (records) => Promise.resolve(report(records)))
  }
  const count = async (id: string) => {
    const [row] = await database().texts(sql`
      select (select count(*) from ${tableOf(entity)} where id = ${id}),
        (select count(*) from audit where id = ${id})`)
    return row
  }

  it('saves edits that it can report', async () => {
    const { report } = await create('REPORTED', (records) =>
      records.map(({ after }) => after?.['Id']),
    )
    expect(report).toEqual(['REPORTED'])
    expect(await count('REPORTED')).toEqual(['1', '1'])
  })

  it('saves nothing if its report fails, so an error never hides a write', async () => {
    const failure = new Error('no report')
    const failing = () => {
      throw failure
    }
    await expect(create('UNREPORTED', failing)).rejects.toBe(failure)
    expect(await count('UNREPORTED')).toEqual(['0', '0'])
  })

  it('reports what a dry run would write, without a record, audit, feed or version', async () => {
    const traces = () =>
      database().texts(sql`
        select (select count(*) from ${tableOf(entity)}), (select count(*) from audit),
          (select count(*) from change), (select count(*) from content_version)`)
    const before = await traces()
    const { report, revision } = await create('TRIED', ([one]) => one?.after?.['Id'], 'try')
    expect([report, revision]).toEqual(['TRIED', undefined])
    expect(await traces()).toEqual(before)
    const failure = new Error('no report')
    const failing = () => {
      throw failure
    }
    await expect(create('TRIED', failing, 'try')).rejects.toBe(failure)
  })
})
