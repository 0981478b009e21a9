import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { measurements, readOf, slowRead, toPush } from './work.ts'
import type { Tally } from './tally.ts'

/** What the load is aimed at. */
export type Target = {
  readonly client: Client
  readonly tally: Tally
  readonly now: () => Date
  /** The token in force; `renew` gets another one, as clients do who are told that theirs is worthless. */
  readonly token: () => string
  readonly renew: () => Promise<void>
}

const busy = 16

/** Sends reads one after the other from several clients at once. @returns answers a second */
export async function measureCapacity({ client, token }: Target, seconds: number): Promise<number> {
  const began = performance.now()
  const isOver = () => performance.now() - began > seconds * 1000
  let answers = 0
  const loop = async (first: number) => {
    for (let turn = first; !isOver(); turn += busy) {
      if ((await client.send(readOf(turn, token()))) === 'answered') answers += 1
    }
  }
  await Promise.all(Array.from({ length: busy }, (_, first) => loop(first)))
  return answers / ((performance.now() - began) / 1000)
}

const tick = 20
/** More at a time are not sent: they are counted as held back. */
const mostAtOnce = 1000

/** Sends so many reads a second, whether the hub keeps up or not, until it is told to stop. */
export async function sendReads(
  target: Target,
  perSecond: number,
  stop: AbortSignal,
): Promise<void> {
  const { client, tally, token } = target
  const began = performance.now()
  let sent = 0
  let open = 0
  while (!stop.aborted) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    for (; sent < due; sent++) {
      if (open >= mostAtOnce) tally.count('reads', 'held back')
      else {
        open += 1
        void client.send(readOf(sent, token())).then((outcome) => {
          open -= 1
          return outcome === 'renewed token' ? target.renew() : undefined
        })
      }
    }
    await pause(tick)
  }
  while (open > 0) await pause(tick)
}

/** What was acknowledged, to be looked for at the end. */
export type Acknowledged = {
  /** Ids of records. */
  readonly records: string[]
  /** Times of values, ISO 8601. */
  readonly times: string[]
}

/** Pushes one record and a round of measurements each time, and again what was not taken. */
export async function sendPushes(
  target: Target,
  { name, acknowledged }: { readonly name: string; readonly acknowledged: Acknowledged },
  stop: AbortSignal,
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const id = `${name}-${String(turn)}`
    const record = { kind: 'content', entity: 'Event', items: [{ Id: id, Shortname: id }] }
    if (await pushUntilTaken(target, record, stop)) acknowledged.records.push(id)
    const now = target.now()
    if (await pushUntilTaken(target, measurements(now), stop)) {
      acknowledged.times.push(now.toISOString())
    }
    await pause(200)
  }
}

async function pushUntilTaken(
  target: Target,
  message: object,
  stop: AbortSignal,
): Promise<boolean> {
  let ask = toPush(message, target.token())
  while (!stop.aborted) {
    const outcome = await target.client.send(ask)
    if (outcome === 'answered') return true
    if (outcome === 'renewed token') await target.renew()
    else await pause(1000)
    ask = { ...ask, token: target.token() }
  }
  return false
}

/** Reads everything slowly, again and again. */
export async function readSlowly({ client }: Target, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if ((await client.send(slowRead)) !== 'answered') await pause(1000)
  }
}
