import { readFile, readdir } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { sql } from '../src/sql/index.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { dataType, loadTimeseriesRegion, stationTypes } from './fixtures/timeseries-region.ts'
import { median } from './harness/compare-sides.ts'
import { openProfiler, profiledSettings } from './harness/cpu-profile.ts'
import type { Profiler, Sample } from './harness/cpu-profile.ts'
import type { Environment } from './harness/environment.ts'

type Polled = {
  readonly title: string
  readonly path: string
  /** Name prefix of the datasets whose changes alter the response; `past/` denotes late values. */
  readonly shows?: string
}

const [values, past, stations] = ['timeseries/', 'past/', 'stations/']
const { many } = stationTypes
const day = '2021-04-10/2021-04-11'
const ofOneType = `/v2/flat/${many}/${dataType}/${day}?limit=-1`

/** Requests that typical clients poll. */
const polled: readonly Polled[] = [
  { title: 'Single record', path: `/v1/Accommodation/${String(lowestId)}` },
  { title: 'Latest, 200 rows', path: '/v2/flat/*/*/latest?limit=200', shows: values },
  { title: 'Latest, all', path: '/v2/flat/*/*/latest?limit=-1', shows: values },
  { title: 'Latest, all as a tree', path: '/v2/tree/*/*/latest?limit=-1', shows: values },
  {
    title: 'Latest with where',
    path: '/v2/flat/*/*/latest?limit=-1&where=mvalue.gt.80',
    shows: values,
  },
  { title: 'Stations', path: `/v2/flat/${many}?limit=-1`, shows: stations },
  { title: 'Stations, 200 as a tree', path: `/v2/tree/${many}`, shows: stations },
  { title: 'Latest, all, by stations', path: '/v2/flat/*/*/latest?limit=-1', shows: stations },
  {
    title: 'One day of a station',
    path: `/v2/flat/${many}/*/${day}?limit=-1&where=scode.eq.%22station-0700%22`,
    shows: past,
  },
  {
    title: 'One day, two columns',
    path: `${ofOneType}&select=mvalidtime,mvalue`,
    shows: past,
  },
  {
    title: 'One hour of all stations',
    path: '/v2/flat/*/*/2021-04-10T10:00/2021-04-10T11:00?limit=-1',
    shows: past,
  },
  { title: 'Aggregate', path: `${ofOneType}&select=scode,max(mvalue)`, shows: past },
  { title: 'The same as one bucket', path: `${ofOneType}&bucket=1d&agg=max`, shows: past },
]

/** Assigns a function to a part of the work by its URL. The first match counts. */
const groups: readonly (readonly [group: string, pattern: RegExp])[] = [
  ['token', /src\/access\/|node_modules\/jose\//],
  ['quota', /src\/quota\/|rate-limiter/],
  ['compression', /node:zlib|fastify\/compress/],
  [
    'logging, metrics',
    /src\/observe\/|node_modules\/(pino|sonic-boom|prom-client)|quick-format|safe-stable/,
  ],
  [
    'rows to bytes',
    /timeseries\/(formats|read\/(answer|members|values\/(packing|value-rows|lay-out)))|content\/formats|timeseries\/time\./,
  ],
  ['plan', /src\/(timeseries|content|lang)\//],
  ['statement', /src\/(sql|storage)\//],
  ['driver', /node_modules\/pg/],
  ['HTTP, hooks', /./],
]

const groupNames = [
  'HTTP, hooks',
  ...groups.slice(0, -1).map(([name]) => name),
  'garbage',
  'outside JavaScript',
]

/**
 * Returns the group of a sample. Functions of Node and of the engine count as part of their caller.
 */
function groupOf({ frames }: Sample): string | undefined {
  const [innermost] = frames
  if (innermost?.functionName === '(idle)' || innermost?.functionName === '(root)') return undefined
  if (innermost?.functionName === '(garbage collector)') return 'garbage'
  if (innermost?.functionName === '(program)') return 'outside JavaScript'
  const url = frames.find((frame) => /^file:/.test(frame.url))?.url ?? ''
  return groups.find(([, pattern]) => pattern.test(url))?.[0] ?? 'HTTP, hooks'
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let sent = 0

/**
 * Sends one request, each time for another application so that none exhausts its quota. @returns
 * the size of the response in bytes
 */
function answer(address: string): Promise<number> {
  sent += 1
  const headers = { referer: `https://application-${String(sent)}.example/` }
  return new Promise((resolve, reject) => {
    get(address, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${address} answers ${String(response.statusCode)}.`))
      })
    }).on('error', reject)
  })
}

/** Changes a station of each type, or the latest values of some series. */
async function touch({ store: { database } }: Environment, datasets: string): Promise<void> {
  await database.execute(
    datasets === stations
      ? sql`
        with written as (
          update station set name = 'bench ' || random()
          where id in (
            select distinct on (type) id from station
            where type = any(${Object.values(stationTypes)}::text[]) order by type, random())
          returning type, code
        )
        insert into change (area, dataset, id, kind)
        select 'bench', ${stations}::text || type, code, 'upsert' from written`
      : sql`
        with written as (
          update latest set number = round((10 + 80 * random())::numeric, 2), transaction_time = now()
          where series_id = any(array(select id from series order by random() limit ${touched}))
          returning series_id
        )
        insert into change (area, dataset, id, kind)
        select 'bench', ${datasets}::text || station.type, series_id, 'upsert'
        from written join series on series.id = series_id join station on station.id = station_id`,
  )
}

const touched = 30

/** Microseconds per response: of the hub by part of its work, and of PostgreSQL. */
type Budget = {
  readonly bytes: number
  readonly latency: number
  /** Processor time of all threads of the hub. */
  readonly hub: number
  readonly groups: ReadonlyMap<string, number>
  readonly statements: number
  readonly planning: number
  readonly executing: number
  /** Processor time of all database sessions of the hub. */
  readonly database: number
}

const warmUp = 30
const longest = 1500
const most = 300

type Measured = {
  readonly environment: Environment
  readonly hub: HubProcess
  readonly profiler: Profiler
}

type Repeated = { readonly path: string; readonly datasets: string | undefined }

async function measure(measured: Measured, { path, datasets }: Repeated): Promise<Budget> {
  const { environment, hub, profiler } = measured
  const next = async () => {
    if (datasets !== undefined) await touch(environment, datasets)
    const started = performance.now()
    const bytes = await answer(`${hub.url}${path}`)
    return { bytes, milliseconds: performance.now() - started }
  }
  for (let round = 0; round < warmUp; round++) await next()
  await environment.store.database.query(sql`select pg_stat_statements_reset()`)
  const own = await ownSessions(environment)
  const before = await processorTimes(environment, hub, own)
  await profiler.start()
  const answers = await repeat(next)
  const samples = await profiler.stop()
  const after = await processorTimes(environment, hub, own)
  const each = (total: number) => total / answers.length
  return {
    bytes: answers.at(-1)?.bytes ?? 0,
    latency: median(answers.map(({ milliseconds }) => milliseconds)) * 1000,
    hub: each(after.hub - before.hub),
    groups: spentBy(samples, each),
    database: each(grown(before.sessions, after.sessions)),
    ...(await statementTimes(environment, answers.length)),
  }
}

/** Repeats a request until there are enough responses or the time is over. */
async function repeat<Answer>(next: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const began = performance.now()
  while (answers.length < most && performance.now() - began < longest) answers.push(await next())
  return answers
}

function spentBy(
  samples: Awaited<ReturnType<Profiler['stop']>>,
  each: (total: number) => number,
): ReadonlyMap<string, number> {
  const spent = new Map(groupNames.map((name) => [name, 0]))
  for (const sample of samples) {
    const group = groupOf(sample)
    if (group !== undefined) spent.set(group, (spent.get(group) ?? 0) + each(sample.microseconds))
  }
  return spent
}

/**
 * Returns the time that PostgreSQL spent planning and executing the hub's statements, in
 * microseconds per response.
 */
async function statementTimes({ store: { database } }: Environment, answers: number) {
  const [row] = await database.texts(sql`
    select sum(calls), sum(total_plan_time), sum(total_exec_time) from pg_stat_statements
    where query not like '%insert into change%' and query not like '%pg_stat%'`)
  const [statements = 0, planning = 0, executing = 0] = (row ?? []).map(Number)
  const perAnswer = (milliseconds: number) => (milliseconds * 1000) / answers
  return {
    statements: statements / answers,
    planning: perAnswer(planning),
    executing: perAnswer(executing),
  }
}

async function ownSessions({ store: { database } }: Environment): Promise<readonly string[]> {
  const rows = await database.texts(sql`select pg_backend_pid()`)
  return rows.flatMap(([pid]) => pid ?? [])
}

/** Returns the processor time since the start, in microseconds. */
async function processorTimes(
  { postgresql }: Environment,
  hub: HubProcess,
  own: readonly string[],
) {
  const server = `/proc/${String(postgresql.pid)}/task/${String(postgresql.pid)}`
  const children = (await readFile(`${server}/children`, 'utf8')).split(' ').filter(Boolean)
  const sessions = children.filter((child) => !own.includes(child))
  const times = sessions.map(async (session) => [session, await timeOf(session)] as const)
  return { hub: await timeOf(String(hub.process.pid)), sessions: new Map(await Promise.all(times)) }
}

/**
 * Returns the growth of all sessions. A session that ended in between, such as a parallel worker,
 * is not counted.
 */
function grown(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [session, time]) => sum + time - (before.get(session) ?? 0), 0)
}

/**
 * Reads the processor time of all threads of a process, in microseconds: the first field of
 * schedstat has the nanoseconds of one thread (Linux, sched-stats).
 */
async function timeOf(process: string): Promise<number> {
  const threads = await readdir(`/proc/${process}/task`).catch(() => [])
  const each = threads.map((thread) =>
    readFile(`/proc/${process}/task/${thread}/schedstat`, 'utf8').catch(() => '0'),
  )
  const texts = await Promise.all(each)
  return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1000
}

/** Measures where the time of a response is spent, and prints it as a Markdown table. */
export async function printBudget(environment: Environment): Promise<string> {
  await loadAccommodations(environment)
  await loadTimeseriesRegion(environment)
  await environment.store.database.execute(sql`create extension if not exists pg_stat_statements`)
  const hub = await environment.startHub({ ...asServed, ...(await profiledSettings()) })
  const profiler = await openProfiler(hub)
  try {
    const lines: string[] = []
    for (const { title, path, shows } of polled) {
      for (const datasets of shows === undefined ? [undefined] : [undefined, shows]) {
        const budget = await measure({ environment, hub, profiler }, { path, datasets })
        lines.push(toLine(`${title}${datasets === undefined ? '' : ', anew'}`, budget))
        environment.log(lines.at(-1) ?? '')
      }
    }
    return [toHead(), ...lines].join('\n')
  } finally {
    profiler.close()
    await stopHub(hub)
  }
}

const asServed = { HUB_LOG_LEVEL: 'info', HUB_QUOTA: 'on', HUB_QUOTA_PER_ADDRESS: '1000000' }

function toHead(): string {
  const names = ['Request', 'kB', 'Latency', 'Hub', ...groupNames]
  const ofDatabase = ['Statements', 'Planning', 'Execution', 'PostgreSQL', 'Both']
  const head = [...names, ...ofDatabase]
  return [head, head.map((_name, place) => (place === 0 ? '---' : '--:'))].map(toRow).join('\n')
}

function toLine(title: string, budget: Budget): string {
  const { bytes, latency, hub, groups: spent, statements, planning, executing, database } = budget
  const figures = [latency, hub, ...spent.values()].map(rounded)
  const ofDatabase = [planning, executing, database, hub + database].map(rounded)
  const kilobytes = (bytes / 1000).toFixed(1)
  return toRow([title, kilobytes, ...figures, statements.toFixed(1), ...ofDatabase])
}

const rounded = (microseconds: number) => Math.round(microseconds).toLocaleString('en')

const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
