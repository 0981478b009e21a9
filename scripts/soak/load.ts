import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { measurements, readOf, slowRead, toPush } from './work.ts'
import type { Tally } from './tally.ts'

/** The hubs under load, with what is needed to send requests to them. */
export type Target = {
  readonly client: Client
  readonly tally: Tally
  readonly now: () => Date
  /** The current token. `renew` gets another one, as clients do when theirs is rejected. */
  readonly token: () => string
  readonly renew: () => Promise<void>
}

const busy = 16

/**
 * Sends queries from several clients at once, each one query after the other. @returns responses
 * per second
 */
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
/** Maximum number of open requests. Beyond it, requests are not sent but counted as held back. */
const maxAtOnce = 1000

/**
 * Sends a fixed number of queries per second, whether or not the hub keeps up, until it is stopped.
 */
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
      if (open >= maxAtOnce) tally.count('reads', 'held back')
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

/** What was acknowledged, to be searched for at the end. */
export type Acknowledged = {
  /** Ids of records. */
  readonly records: string[]
  /** Times of measurements, ISO 8601. */
  readonly times: string[]
}

/**
 * Repeatedly pushes one record and one round of measurements, and retries each until it is
 * accepted.
 */
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

/** Reads all records slowly, again and again. */
export async function readSlowly({ client }: Target, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if ((await client.send(slowRead)) !== 'answered') await pause(1000)
  }
}
