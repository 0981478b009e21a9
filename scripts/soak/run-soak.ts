import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../src/sql/index.ts'
import { postgresqlSettings, withDatabase } from '../../test/fixtures/database-settings.ts'
import { answers, makeFaults } from './faults.ts'
import type { PastFault } from './faults.ts'
import { measureCapacity, readSlowly, sendPushes, sendReads } from './load.ts'
import type { Acknowledged } from './load.ts'
import type { Soak } from './open-soak.ts'
import { watchGrowth } from './samples.ts'
import type { Piece } from './pieces.ts'
import type { Seen } from './report.ts'
import { startData, toPush } from './work.ts'

type Course = {
  readonly minutes: number
  /** Seconds from one fault to the next; none happens when it is left out. */
  readonly every: number | undefined
  /** Earlier ones with the same database. */
  readonly pieces: readonly Piece[]
  /** Ends it before its time; what was seen until then counts. */
  readonly ended: Promise<unknown>
}

const pushers = 4
const slowReaders = 4
/** The best of some measurements: other work on the machine makes them worse, never better. */
const capacityTries = [3, 4, 4, 4]
const load = 0.7

/** Fills the hub, measures what it can do, and then requests 70 % of that for so many minutes. */
export async function runSoak(soak: Soak, course: Course): Promise<Seen> {
  const { client, token, log, tally } = soak
  for (const message of startData(soak.now())) await client.send(toPush(message, token()))
  await untilThere(soak, '/v1/Accommodation/H999')
  await untilThere(soak, '/traffic/v1/situation-publication/soak')
  let capacity = 0
  for (const seconds of capacityTries)
    capacity = Math.max(capacity, await measureCapacity(soak, seconds))
  log(`The hubs answer ${capacity.toFixed(0)} reads a second.`)
  const acknowledged: Acknowledged = { records: [], times: [] }
  const began = performance.now()
  const [faults, growth] = await loadFor(soak, course, { perSecond: capacity * load, acknowledged })
  const minutes = Math.round((performance.now() - began) / 6_000) / 10
  const lost = [
    ...(await missing(soak, acknowledged)),
    ...(await missingOfEarlier(soak, course.pieces)),
  ]
  const asked = capacity * load
  const { records, times } = acknowledged
  const counts = { records: records.length, times: times.length }
  return { tally, capacity, asked, minutes, growth, faults, acknowledged: counts, lost }
}

type Load = { readonly perSecond: number; readonly acknowledged: Acknowledged }

async function loadFor(
  soak: Soak,
  { minutes, every, pieces, ended }: Course,
  { perSecond, acknowledged }: Load,
) {
  const stop = new AbortController()
  const { log } = soak
  const running = Promise.all([
    every === undefined ? noFaults : makeFaults({ world: soak, every, log }, stop.signal),
    watchGrowth(soak, stop.signal),
    sendReads(soak, perSecond, stop.signal),
    ...Array.from({ length: pushers }, (_, at) => {
      const name = `P${String(pieces.length)}-${String(at)}`
      return sendPushes(soak, { name, acknowledged }, stop.signal)
    }),
    ...Array.from({ length: slowReaders }, () => readSlowly(soak, stop.signal)),
  ])
  await Promise.race([pause(minutes * 60_000), running, ended])
  stop.abort()
  return running
}

const noFaults: readonly PastFault[] = []

async function untilThere({ steady }: Soak, path: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await answers(`${steady.url}${path}`)) return
    await pause(100)
  }
  throw new Error(`${path} did not come.`)
}

const patience = 120

/** What was acknowledged and is not in the database, some time after the last push. */
async function missing(
  { primary }: Soak,
  { records, times }: Acknowledged,
): Promise<readonly string[]> {
  return withDatabase(postgresqlSettings(primary.url), async (database) => {
    for (let tries = 0; ; tries++) {
      const left = await database.query<{ id: string }>(sql`
        select id from unnest(${records}::text[]) as id
        where id not in (select upper(id) from content.event)
        union all
        select time from unnest(${times}::text[]) as time
        where time::timestamptz not in (
          select valid_time from measurement
          where series_id = (select max(series_id) from latest) and valid_time >= ${times[0]}::timestamptz)`)
      if (left.length === 0 || tries === patience) return left.map(({ id }) => id)
      await pause(1000)
    }
  })
}

/** Records of earlier pieces stay. */
async function missingOfEarlier(
  { primary }: Soak,
  pieces: readonly Piece[],
): Promise<readonly string[]> {
  const rows = await withDatabase(postgresqlSettings(primary.url), (database) =>
    database.query<{ piece: string; count: number }>(sql`
      select substring(id from '^P([0-9]+)-') as piece, count(*)::int as count from content.event group by 1`),
  )
  const there = new Map(rows.map(({ piece, count }) => [piece, count]))
  return pieces.flatMap(({ records }, at) => {
    const left = records - (there.get(String(at)) ?? 0)
    return left > 0 ? [`${String(left)} records of piece ${String(at)}`] : []
  })
}
