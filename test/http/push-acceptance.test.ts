import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { hotels, usePushCollector } from '../fixtures/push-collector.ts'

const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

describeWithDatabase('a pushed message', (database) => {
  const { send, get, receiptOf, setClock, settings } = usePushCollector(database)

  const countMessages = async () => {
    const [row] = await database().query<{ n: number }>(
      sql`select count(*)::integer as n from message`,
    )
    return row?.n
  }

  it.each([
    ['application/json; charset=', 'malformed'],
    ['???', 'no media type'],
    ['json', 'half a media type'],
    ['text/html,application/json', 'two'],
    ['multipart/form-data', 'without a boundary'],
  ])('is stored with the Content-Type %j (%s), and processed by its content', async (type) => {
    const answer = await send(hotels({ Id: 'TYPED' }), { 'content-type': type })
    expect(answer.statusCode).toBe(200)
    expect(await receiptOf(answer.json().id)).toMatchObject({ state: 'visible', contentType: type })
  })

  it('has a receipt that states how long the data took to become visible', async () => {
    const { id } = (await send(hotels({ Id: 'TIMED' }))).json()
    const receipt = await receiptOf(id)
    const seconds = (Date.parse(receipt.visible) - Date.parse(receipt.received)) / 1000
    expect(receipt.secondsUntilVisible).toBeCloseTo(seconds, 3)
    expect(receipt.finished).toBe(receipt.visible)
  })

  it('is refused unless its stream declares its media type', async () => {
    const mediaTypes = ['application/json', 'text/csv']
    settings.set('demo/csv', { stream: 'demo/csv', isOrdered: false, keepDays: null, mediaTypes })
    const to = (type: string) => send('a;b', { 'content-type': type }, '/push/demo/csv')
    expect((await to('Text/CSV; header=present')).statusCode).toBe(200)
    const refused = await to('text/plain')
    expect(refused.json()).toMatchObject({ status: 415, errorCode: 'HUB-BDY-003' })
    expect(refused.json().hint).toContain('text/csv')
    expect((await to('???')).statusCode).toBe(415)
  })

  it('is returned unchanged, to its sender only', async () => {
    const body = Buffer.from([0, 255, 10, 13, 34])
    const { id } = (await send(body, { 'content-type': 'image/x-odd' })).json()
    const original = await get(`/push/demo/x/${id}/original`)
    expect(original.statusCode).toBe(200)
    expect(original.rawPayload).toEqual(body)
    expect(original.headers).toMatchObject({
      'content-type': 'image/x-odd',
      'repr-digest': `sha-256=:${digest(body).toString('base64')}:`,
      'content-security-policy': 'sandbox',
    })
    expect(original.headers['content-disposition']).toContain('attachment')
    for (const other of ['admin', 'closed', 'nobody']) {
      const { statusCode } = await get(`/push/demo/x/${id}/original`, other)
      expect(statusCode).toBe(other === 'nobody' ? 401 : 404)
    }
    expect((await get(`/push/demo/y/${id}/original`)).statusCode).toBe(404)
    expect((await get('/push/demo/x/none/original')).statusCode).toBe(404)
  })

  it('is returned without compression, even if it looks compressed', async () => {
    const body = Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(2000)])
    const { id } = (await send(body, { 'content-type': 'application/octet-stream' })).json()
    const anyCoding = { headers: { 'accept-encoding': 'br, gzip' } }
    const original = `/push/demo/x/${id}/original`
    const { headers, rawPayload } = await get(original, 'provider', anyCoding)
    expect(headers['content-encoding']).toBeUndefined()
    expect(rawPayload).toEqual(body)
  })

  it('is kept compressed if sent compressed, with the digest of the received bytes', async () => {
    const plain = hotels({ Id: 'PACKED' })
    const packed = gzipSync(plain)
    const { id } = (await send(packed, { 'content-encoding': 'gzip' })).json()
    expect(await receiptOf(id)).toMatchObject({
      state: 'visible',
      bytes: plain.length,
      sha256: digest(packed).toString('hex'),
    })
    const original = await get(`/push/demo/x/${id}/original`)
    expect(original.headers['content-encoding']).toBe('gzip')
    expect(original.rawPayload).toEqual(packed)
  })

  it('is stored with the headers that describe the body, but without secrets', async () => {
    const headers = { 'user-agent': 'collector/1', 'content-language': 'de', cookie: 'secret=1' }
    const { id } = (await send('x', headers)).json()
    const [row] = await database().query<{ headers: string }>(
      sql`select headers::text as headers from message where id = ${id}`,
    )
    expect(JSON.parse(row?.headers ?? '')).toEqual({
      'user-agent': 'collector/1',
      'content-language': 'de',
    })
  })

  it('is stored once for an Idempotency-Key, which another body may not use', async () => {
    const body = hotels({ Id: 'ONCE' })
    const key = { 'idempotency-key': 'k-1' }
    const first = await send(body, key)
    const before = await countMessages()
    for (const again of [key, { 'idempotency-key': '"k-1"' }]) {
      const answer = await send(body, again)
      expect([answer.statusCode, answer.body]).toEqual([200, first.body])
    }
    const other = await send(hotels({ Id: 'OTHER' }), key)
    expect(other.json()).toMatchObject({ status: 422, errorCode: 'HUB-QRY-015' })
    expect(await countMessages()).toBe(before)
  })

  it('is stored again with the key for another stream or sender, and after 24 hours', async () => {
    const body = hotels({ Id: 'KEYED' })
    const key = { 'idempotency-key': 'k-2' }
    const start = Date.now()
    setClock(new Date(start))
    const ids = [
      (await send(body, key)).json().id,
      (await send(body, key, '/push/demo/y')).json().id,
      (await send(body, { ...key, authorization: 'Bearer closed' })).json().id,
    ]
    setClock(new Date(start + 23 * 3_600_000))
    expect((await send(body, key)).json().id).toBe(ids[0])
    setClock(new Date(start + 25 * 3_600_000))
    ids.push((await send(hotels({ Id: 'NEW' }), key)).json().id)
    setClock(undefined)
    expect(new Set(ids).size).toBe(4)
  })

  it('is stored once even if requests with the same key arrive at the same time', async () => {
    const body = hotels({ Id: 'CROWD' })
    const before = (await countMessages()) ?? 0
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(body, { 'idempotency-key': 'k-3' })),
    )
    const accepted = answers.filter(({ statusCode }) => statusCode === 200)
    expect(new Set(accepted.map((answer) => answer.json().id)).size).toBe(1)
    for (const answer of answers) {
      if (answer.statusCode === 200) continue
      expect(answer.json()).toMatchObject({ status: 409, errorCode: 'HUB-QRY-014' })
      expect(answer.headers['retry-after']).toBe('1')
    }
    expect(await countMessages()).toBe(before + 1)
  })

  it.each(['', 'x'.repeat(256), 'ä', 'a\tb'])('is refused with the key %j', async (key) => {
    const answer = await send('x', { 'idempotency-key': key })
    expect(answer.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-013' })
  })

  it('is not stored by a dry run, which reports what would happen to it', async () => {
    const body = hotels({ Id: 'DRY' }, { Id: '' })
    const before = await countMessages()
    const trial = await send(body, {}, '/push/demo/x?dryrun=true')
    expect(trial.statusCode).toBe(200)
    expect(trial.json()).toMatchObject({ dryrun: true, state: 'visible', stored: 1 })
    expect(await countMessages()).toBe(before)
    expect((await get('/v1/Accommodation/DRY')).statusCode).toBe(404)
    const real = await receiptOf((await send(body)).json().id)
    expect(trial.json()).toMatchObject({ stored: real.stored, rejected: real.rejected })
    const none = (await send('a;b', {}, '/push/demo/x?dryrun=true')).json()
    expect(none).toMatchObject({ state: 'accepted', reason: 'no pipeline', stored: 0 })
    const bad = (await send(hotels({}), {}, '/push/demo/x?dryrun=TRUE')).json()
    expect(bad).toMatchObject({ state: 'rejected', rejected: [{ index: 0 }] })
    expect((await send('x', {}, '/push/demo/x?dryrun=maybe')).statusCode).toBe(400)
    expect((await send('x', {}, '/push/other/x?dryrun=true')).statusCode).toBe(403)
  })
})
