import { randomBytes } from 'node:crypto'
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
import { startData, stations, toPush } from './work.ts'

type Course = {
  readonly minutes: number
  /** Seconds from one fault to the next; undefined for a run without faults. */
  readonly every: number | undefined
  /** Earlier runs with the same database. */
  readonly pieces: readonly Piece[]
  /** Resolves to end the run early. What was observed until then counts. */
  readonly ended: Promise<unknown>
}

const pushers = 4
const slowReaders = 4
/**
 * Durations in seconds of the capacity measurements, of which the best counts: other work on the
 * machine makes a result worse, never better.
 */
const capacityTries = [3, 4, 4, 4]
const load = 0.7

/**
 * Fills the hubs, measures how many queries they can process beside pushes, and then sends 70 % of
 * that for the given number of minutes.
 */
export async function runSoak(soak: Soak, course: Course): Promise<Seen> {
  const { client, token, log, tally } = soak
  for (const message of startData(soak.now())) await client.send(toPush(message, token()))
  await untilThere(soak, '/v1/Accommodation/H999')
  await untilThere(soak, '/traffic/v1/situation-publication/soak')
  const stop = new AbortController()
  const name = `P${randomBytes(4).toString('hex').toUpperCase()}`
  const acknowledged: Acknowledged = { records: [], times: [] }
  const beside = loadBeside(soak, { name, acknowledged }, stop.signal)
  const capacity = await bestCapacity(soak)
  const asked = capacity * load
  log(`The hubs answer ${capacity.toFixed(0)} reads a second.`)
  const began = performance.now()
  const running = Promise.all([
    course.every === undefined
      ? noFaults
      : makeFaults({ world: soak, every: course.every, log }, stop.signal),
    watchGrowth(soak, stop.signal),
    sendReads(soak, asked, stop.signal),
    beside,
  ])
  const over = pause(course.minutes * 60_000, undefined, { signal: stop.signal })
  await Promise.race([over, running, course.ended])
  stop.abort()
  const [faults, growth] = await running
  const minutes = Math.round((performance.now() - began) / 6_000) / 10
  const lost = [
    ...(await missing(soak, acknowledged)),
    ...(await missingOfEarlier(soak, course.pieces)),
  ]
  const { records, times } = acknowledged
  const counts = { records: records.length, times: new Set(times).size }
  return { name, tally, capacity, asked, minutes, growth, faults, acknowledged: counts, lost }
}

async function bestCapacity(soak: Soak): Promise<number> {
  let best = 0
  for (const seconds of capacityTries) best = Math.max(best, await measureCapacity(soak, seconds))
  return best
}

type Pushed = { readonly name: string; readonly acknowledged: Acknowledged }

/** Starts the pushes and slow readers. */
function loadBeside(soak: Soak, { name, acknowledged }: Pushed, stop: AbortSignal) {
  return Promise.all([
    ...Array.from({ length: pushers }, (_, at) =>
      sendPushes(soak, { name: `${name}-${String(at)}`, acknowledged }, stop),
    ),
    ...Array.from({ length: slowReaders }, () => readSlowly(soak, stop)),
  ])
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

/** Returns what was acknowledged but is still not in the database some time after the last push. */
async function missing(
  { primary }: Soak,
  { records, times }: Acknowledged,
): Promise<readonly string[]> {
  return withDatabase(postgresqlSettings(primary.url), async (database) => {
    for (let tries = 0; ; tries++) {
      const left = await database.query<{ id: string }>(sql`
        (select unnest(${records}::text[]) as id except select upper(id) from content.event)
        union all
        select time from unnest(${times}::text[]) as time
        where (
          select count(*) from measurement
          where valid_time = time::timestamptz and series_id = any(${ofSoak})) < ${stations}`)
      if (left.length === 0 || tries === patience) return left.map(({ id }) => id)
      await pause(1000)
    }
  })
}

const ofSoak = sql`array(
  select series.id from series join station on station.id = station_id where type = 'Soak')`

/** Returns what is missing from earlier pieces, whose records and values must still be there. */
async function missingOfEarlier(
  { primary }: Soak,
  pieces: readonly Piece[],
): Promise<readonly string[]> {
  return withDatabase(postgresqlSettings(primary.url), async (database) => {
    const rows = await database.query<{ name: string; count: number }>(sql`
      select split_part(upper(id), '-', 1) as name, count(*)::int as count
      from content.event group by name`)
    const there = new Map(rows.map(({ name, count }) => [name, count]))
    const lost = pieces.flatMap(({ name, records }) => {
      const left = records - (there.get(name) ?? 0)
      return left > 0 ? [`${String(left)} records of ${name}`] : []
    })
    const values = pieces.reduce((sum, { times }) => sum + times * stations, 0)
    const [row] = await database.query<{ count: number }>(sql`
      select count(*)::float8 as count from measurement where series_id = any(${ofSoak})`)
    const left = values - (row?.count ?? 0)
    return left > 0 ? [...lost, `${String(left)} values of earlier pieces`] : lost
  })
}
