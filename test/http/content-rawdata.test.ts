import type { FastifyInstance } from 'fastify'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { canonicalKinds, canonicalPipeline, importFile } from '../../src/push/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

const pretty = '{ "Id" : "a1",\n  "Shortname":"\\u0047röße", "Factor": 1.50e2 }'
const other = '{"Id":"A2","Shortname":"other"}'
const wrong = '{"Id":"A9","Shortname":"\\u0000 \\ud800"}'
const escaped = '{"Id":"N1","Shortname":"\\\\u0000 \\/u0041 \\u00e9"}'
const rooms = '{"Id":"A3","AccoRoomInfo":[{"Id":"secret room"}]}'
const closed = '{"Id":"A4","LicenseInfo":{"ClosedData":true}}'
const message = (...items: readonly string[]) =>
  `{"kind":"content","entity":"Accommodation",\n "items": [ ${items.join(' ,\n')} ]}`

describeWithDatabase('the source items of records', (database) => {
  const hub = usePushingHub(database)
  let app: FastifyInstance
  const ask = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization }
    const url = `/v1/Accommodation${path}${path.includes('?') ? '&' : '?'}format=rawdata`
    return app.inject({ url, headers })
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    await hub.push(`\uFEFF${message(other, pretty, rooms, closed)}`)
  })
  afterAll(() => app.close())

  it('are returned byte for byte, without the rest of their message', async () => {
    const { statusCode, headers, body } = await ask('/A1')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/rawdata; charset=utf-8')
    expect(body).toBe(pretty)
    expect((await ask('/A2')).body).toBe(other)
  })

  it('are listed in the order of the records', async () => {
    expect((await ask('?pagesize=2')).body).toBe(`[${pretty},\n${other}]`)
  })

  it('are found on their line of NDJSON, next to rejected items', async () => {
    const lines = [
      '',
      message(other).replaceAll('\n', ''),
      'broken',
      message(other, wrong, escaped).replaceAll('\n', ''),
    ]
    await hub.push(lines.join('\n'))
    expect((await ask('/N1')).statusCode).toBe(200)
    expect((await ask('/N1')).body).toBe(escaped)
  })

  it('are those of the latest state of a record', async () => {
    await hub.push(message('{"Id":"U1","Shortname":"first"}'))
    await hub.push(message(other, '{"Id":"U1","Shortname":"second"}'))
    expect((await ask('/U1')).body).toBe('{"Id":"U1","Shortname":"second"}')
  })

  it('are closed if their records are closed', async () => {
    expect((await ask('/A4')).statusCode).toBe(404)
    expect((await ask('/A4', 'Bearer closed')).body).toBe(closed)
    expect((await ask('?pagesize=100')).body).not.toContain('ClosedData')
  })

  it('require a token if they contain closed fields, and report this', async () => {
    const { statusCode, headers, body } = await ask('/A3')
    expect(statusCode).toBe(401)
    expect(headers['www-authenticate']).toContain('Bearer')
    expect(JSON.parse(body)).toMatchObject({ errorCode: 'HUB-ACC-001' })
    expect(body).not.toContain('secret')
    expect((await ask('?pagesize=100')).body).not.toContain('secret')
    expect((await ask('/A3', 'Bearer provider')).body).toBe(rooms)
  })

  it('are missing, with a reason, if the hub has not kept them', async () => {
    const entity = entities.find(({ name }) => name === 'Accommodation')
    if (entity === undefined) throw new Error('no entity Accommodation')
    const received = new Date()
    await database().transaction((tx) =>
      storeRecords(tx, {
        ...{ entity, records: [{ Id: 'M1' }], deletions: [] },
        ...{ received, provider: 'demo' },
      }),
    )
    expect((await ask('/M1')).json()).toMatchObject({ status: 404, errorCode: 'HUB-RTE-007' })
    await hub.push(message('{"Id":"M2"}'))
    expect((await ask('/M2')).body).toBe('{"Id":"M2"}')
    await database().execute(sql`delete from message where convert_from(body, 'UTF8') like '%M2%'`)
    expect((await ask('/M2')).json()).toMatchObject({ status: 404, errorCode: 'HUB-RTE-007' })
    expect((await ask('/nobody')).json()).toMatchObject({ errorCode: 'HUB-RTE-003' })
  })

  it('are no longer returned once a record is written manually', async () => {
    const entity = entities.find(({ name }) => name === 'Accommodation')
    if (entity === undefined) throw new Error('no entity Accommodation')
    await hub.push(message('{"Id":"H1","Shortname":"pushed"}'))
    const write = { entity, records: [{ Id: 'H1' }], deletions: [], provider: 'hand' }
    await database().transaction((tx) => storeRecords(tx, { ...write, received: new Date() }))
    expect((await ask('/H1')).json()).toMatchObject({ errorCode: 'HUB-RTE-007' })
  })

  it('are kept for imported files too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-import-'))
    try {
      const file = join(folder, 'records.ndjson')
      const item = '{"Id":"I1", "Shortname": "imported"}'
      await writeFile(file, `${message(other, item).replaceAll('\n', '')}\n`)
      const pipelines = [canonicalPipeline(canonicalKinds(entities))]
      const deps = { database: database(), pipelines, now: () => new Date() }
      const ignore = () => undefined
      const request = { file, stream: 'import/files', onProgress: ignore, onRejected: ignore }
      expect(await importFile(deps, request)).toMatchObject({ stored: 2, rejected: 0 })
      expect((await ask('/I1')).body).toBe(item)
      const waiting = sql`select count(*)::integer as n from message where state <> 'visible'`
      expect(await database().query(waiting)).toEqual([{ n: 0 }])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
