import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen } from '../../../test/fixtures/listen.ts'
import { createRoom, receiveBody } from './receive-body.ts'

it('a body is refused if no room becomes free in time', async () => {
  const room = createRoom({ bytes: 10, patience: 10 })
  await room.enter({ weight: 6 })
  await expect(room.enter({ weight: 10 })).rejects.toMatchObject({
    code: 'HUB-SRV-007',
    status: 503,
  })
})

const megabyte = 1_048_576
const bodyLimit = 4 * megabyte
const body = Buffer.alloc(2 * megabyte, 'x')

/** Bodies that were received and still occupy their room, which `leave` releases. */
const held: { readonly length: number; readonly leave: () => void }[] = []
const failed: unknown[] = []

const server = createServer((incoming, answer) => {
  receiveBody(incoming, { bodyLimit, patience: 5000, room }).then(
    ({ bytes, leave }) => {
      held.push({ length: bytes.length, leave })
      answer.end()
    },
    (error: unknown) => {
      failed.push(error)
      answer.writeHead(500).end()
    },
  )
})
let listening: Awaited<ReturnType<typeof listen>>
let room = createRoom({ bytes: 3 * megabyte, patience: 4000 })

const open = (headers: Record<string, string | number> = {}) => {
  const sent = request(listening.url, { method: 'POST', headers })
  sent.on('error', () => undefined)
  return sent
}

const announced = { 'content-length': body.length }
const send = (headers = {}) => {
  const sent = open(headers)
  Readable.from([body.subarray(0, 1000), body.subarray(1000)]).pipe(sent)
  return once(sent, 'response')
}
const untilHeld = (count: number) => expect.poll(() => held.length).toBe(count)

beforeEach(async () => {
  held.length = 0
  failed.length = 0
  room = createRoom({ bytes: 3 * megabyte, patience: 4000 })
  listening = await listen(server)
})
afterEach(() => listening.close())

it.each([
  ['announced', announced],
  ['not announced', { 'transfer-encoding': 'chunked' }],
])('large bodies whose length is %s wait for room', async (_how, headers) => {
  await send(headers)
  const second = send(headers)
  await pause(100)
  expect(held).toHaveLength(1)
  for (const { leave } of held) leave()
  await second
  expect(held.at(-1)?.length).toBe(body.length)
})

it.each([
  ['announced', announced],
  ['not announced', { 'transfer-encoding': 'chunked' }],
])('a sender that disconnects while waiting keeps no room (length %s)', async (_how, headers) => {
  await send(announced)
  const arrived = once(server, 'request')
  const going = open(headers)
  going.write(body.subarray(0, 1_500_000))
  await arrived
  await pause(100)
  going.destroy()
  const waiting = send(announced)
  for (const { leave } of held) leave()
  await waiting
  await untilHeld(2)
  for (const { leave } of held) leave()
  const leave = await room.enter({ weight: 3 * megabyte })
  leave()
  await expect.poll(() => failed.length).toBe(1)
})

it('senders that announce large bodies and then hang do not block others', async () => {
  const hanging = Array.from({ length: 5 }, () => open(announced))
  for (const sent of hanging) sent.write('x')
  await pause(100)
  await send(announced)
  expect(held).toHaveLength(1)
  for (const sent of hanging) sent.destroy()
})
