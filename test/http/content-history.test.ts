import { applyPatch } from 'rfc6902'
import type { Operation } from 'rfc6902'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { listAudit } from '../../src/admin/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { path, useEditingHub } from '../fixtures/editing-hub.ts'
import { publicUrl } from '../fixtures/test-app.ts'

const history = Type.Object({
  TotalResults: Type.Integer(),
  Items: Type.Array(
    Type.Object({
      Revision: Type.Integer(),
      UpdatedBy: Type.Unsafe<string | null>({}),
      Changes: Type.Unsafe<Operation[] | null>({}),
      Self: Type.String(),
    }),
  ),
})

describeWithDatabase('The history of records', (database) => {
  const { ask, push, write } = useEditingHub(database)

  it('keeps former states of a record, no matter who changed it', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'h', Shortname: 'One' } })
    await write({ method: 'PUT', url: `${path}/h`, body: { Shortname: 'Two' } })
    await write({ method: 'PUT', url: `${path}/h`, body: { Shortname: 'Two' } })
    await push({ Id: 'h', Shortname: 'Three' })
    const versions = Parse(history, (await ask({ method: 'GET', url: `${path}/h/History` })).json())
    expect(versions.Items.map(({ Revision, UpdatedBy }) => [Revision, UpdatedBy])).toEqual([
      [3, null],
      [2, 'editor'],
      [1, 'editor'],
    ])
    expect(versions.Items[2]?.Changes).toBeNull()
    const states = await Promise.all(
      versions.Items.map(async ({ Self }) =>
        (await ask({ method: 'GET', url: Self.slice(publicUrl.length) })).json<
          Record<string, unknown>
        >(),
      ),
    )
    expect(states.map(({ Shortname }) => Shortname)).toEqual(['Three', 'Two', 'One'])
    const [, second, first] = states
    const copy = { ...first }
    applyPatch(copy, versions.Items[1]?.Changes ?? [])
    expect(copy['Shortname']).toBe(second?.['Shortname'])
    const page = Parse(
      history,
      (await ask({ method: 'GET', url: `${path}/h/History?pagesize=1&pagenumber=2` })).json(),
    )
    expect([page.TotalResults, page.Items.map(({ Revision }) => Revision)]).toEqual([3, [2]])
    const behind = await ask({ method: 'GET', url: `${path}/h/History?pagenumber=9` })
    expect(behind.json()).toMatchObject({ TotalResults: 3, Items: [] })
    for (const url of [
      `${path}/none/History`,
      `${path}/h/History/9`,
      `${path}/none/History?pagenumber=2`,
    ]) {
      expect([url, (await ask({ method: 'GET', url })).statusCode]).toEqual([url, 404])
    }
  })

  it('returns no former state that the caller may not see', async () => {
    const admin = { authorization: 'Bearer admin' }
    const closed = { Id: 'v', Shortname: 'Hidden', LicenseInfo: { ClosedData: true } }
    await write({ method: 'POST', url: path, body: closed, headers: admin })
    const url = `${path}/v`
    await write({ method: 'PUT', url, body: { Shortname: 'Open' }, headers: admin })
    await write({ method: 'PUT', url, body: { Shortname: 'Opener' }, headers: admin })
    const reader = { authorization: 'Bearer provider' }
    const versions = await ask({ method: 'GET', url: `${url}/History`, headers: reader })
    expect(versions.json()).toMatchObject({
      TotalResults: 2,
      Items: [{ Revision: 3 }, { Revision: 2, Changes: null }],
    })
    expect(versions.headers['x-withheld']).toContain('records')
    expect(versions.body).not.toContain('Hidden')
    const first = { method: 'GET', url: `${url}/History/1` } as const
    expect((await ask({ ...first, headers: reader })).statusCode).toBe(404)
    expect((await ask({ ...first, headers: admin })).json()).toMatchObject({ Shortname: 'Hidden' })
  })

  it('requires a token if revisions could reveal closed fields', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'rooms' } })
    const anonymous = { authorization: '' }
    for (const url of [`${path}/rooms/History`, `${path}/rooms/History/1`]) {
      expect((await ask({ method: 'GET', url, headers: anonymous })).statusCode).toBe(401)
    }
    const other = await ask({ method: 'GET', url: '/v1/Event/none/History', headers: anonymous })
    expect(other.statusCode).toBe(404)
  })

  it('returns 404 for a revision that does not exist', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'odd' } })
    for (const revision of ['0', '-1', 'x', '1e9', '99999999999999']) {
      const url = `${path}/odd/History/${revision}`
      const answer = await ask({ method: 'GET', url })
      expect([revision, answer.statusCode]).toEqual([revision, 404])
      const detail = `There is no revision ${revision} of Accommodation "ODD".`
      expect(answer.json()).toMatchObject({ detail })
    }
  })

  it('keeps the last hundred former states', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'many', Counter: 0 } })
    // Simulates a source that changes its record every minute.
    await database().execute(sql`
      do $$ begin
        for n in 1..110 loop
          update content.accommodation
          set data = jsonb_set(data, '{Counter}', to_jsonb(n)) where id = 'MANY';
        end loop;
      end $$`)
    const { TotalResults, Items } = Parse(
      history,
      (await ask({ method: 'GET', url: `${path}/many/History?pagesize=200` })).json(),
    )
    expect([TotalResults, Items[0]?.Revision, Items.at(-1)?.Revision]).toEqual([101, 111, 11])
  })

  it('records who wrote what, in an append-only log', async () => {
    const response = await ask({ method: 'POST', url: path, body: { Id: 'noted' } })
    await ask({
      method: 'DELETE',
      url: `${path}/noted`,
      headers: { authorization: 'Bearer admin' },
    })
    const noted = { dataset: 'Accommodation', id: 'NOTED' }
    const created = { name: 'editor', operation: 'Create' }
    const deleted = { name: 'admin', operation: 'Delete', request: expect.any(String) }
    expect(await listAudit(database(), noted, 9)).toMatchObject([
      deleted,
      { ...created, request: response.headers['x-request-id'] },
    ])
    expect(await listAudit(database(), { ...noted, by: 'editor' }, 9)).toMatchObject([created])
    const [newest] = await listAudit(database(), noted, 1)
    expect(newest).toMatchObject(deleted)
    const { time } = newest ?? {}
    expect(await listAudit(database(), { ...noted, to: new Date(0) }, 9)).toEqual([])
    expect(await listAudit(database(), { ...noted, from: time }, 1)).toEqual([newest])
    await expect(database().execute(sql`delete from audit`)).rejects.toThrow('append-only')
    await expect(database().execute(sql`update audit set name = 'x'`)).rejects.toThrow(
      'append-only',
    )
  })
})
