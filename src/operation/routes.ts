import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { requireRole } from '../access/index.ts'
import type { Dataset } from '../catalogue/index.ts'
import type { settingsInForce } from '../config/index.ts'
import type { Problem, StatementShape } from '../observe/index.ts'
import { sql } from '../sql/index.ts'
import type { Figures } from './figures.ts'
import { loadNodes } from './nodes.ts'
import type { Node } from './nodes.ts'
import { partitionRoutes } from './partition-routes.ts'
import type { PartitionDeps } from './partition-routes.ts'
import { loadStorageUse } from './storage-use.ts'
import { services, states } from './watch-services.ts'
import type { ServiceStatus } from './watch-services.ts'
import type { Queryable } from '../storage/index.ts'
import { orNull, problem } from '../lang/schemas.ts'
import { retirements } from '../timeseries/index.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const list = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Array(Type.Object(fields), { description })

const version = text('Version of the hub')
const status = Type.Enum([...states], {
  description: 'degraded: it responds, but something is wrong; down: it does not respond',
})
const serviceList = list('Each service', {
  service: Type.Enum([...services]),
  status,
  since: time('Since when this is its status, as far as the responding node knows'),
})

/** Schema of `GET /status`. */
export const statusOperation = {
  operationId: 'getStatus',
  summary: 'The status of each service of the hub, and how fresh its datasets are',
  description:
    'Public, and available even while the database does not respond. Checked every 5 seconds; the datasets are those of the catalogue.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      status,
      version,
      checked: time('When the services were last checked'),
      services: serviceList,
      datasets: Type.Unsafe<readonly DatasetStatus[] | null>({
        ...list('Datasets that everybody can see; null while the catalogue cannot be read', {
          id: text('Identifier in the catalogue, such as content/Accommodation'),
          title: Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() }),
          updated: orNull(
            text('Time of the latest change, for stations of the latest value; ISO 8601'),
          ),
          freshness: orNull(text('fresh, late, stale or silent; null without series')),
        }),
        type: ['array', 'null'],
      }),
    }),
  },
}

type DatasetStatus = {
  readonly id: string
  readonly title: { readonly de: string; readonly it: string; readonly en: string }
  readonly updated: string | null
  readonly freshness: 'fresh' | 'late' | 'stale' | 'silent' | null
}

const uses = (description: string) =>
  list(description, { name: Type.String(), requests: Type.Integer() })
const rows = orNull(count("PostgreSQL's last estimate; null if there is none yet"))
const bytes = count('With indexes')

/** The part of `GET /operation` about the responding process. */
const ofNode = {
  node: Type.Object({
    id: text('The responding node'),
    started: time('Since when it has been counting'),
    memoryBytes: count('Resident memory'),
    cpuSeconds: number('CPU time since its start'),
    eventLoopSeconds: number('Delay of the event loop, 99th percentile'),
  }),
  pools: list('Connections of the node to the database', {
    pool: Type.Enum(['write', 'read', 'heavy']),
    open: count('Existing connections'),
    idle: count('Unused ones'),
    waiting: count('Callers that wait for one'),
    most: count('Maximum number'),
  }),
  statements: Type.Object({
    source: Type.Enum(['pg_stat_statements', 'hub'], {
      description: 'hub: without this extension, what the node has measured since its start',
    }),
    shapes: list('Statements without their values, those with the highest total time first', {
      text: Type.String(),
      calls: Type.Integer(),
      seconds: number('Total of all calls'),
      longest: number('Of the longest call, in seconds'),
    }),
  }),
  answerMemory: Type.Object({
    hit: count('Requests that were answered from memory'),
    miss: count('Requests that were not'),
  }),
  use: Type.Object(
    {
      clients: uses('Requests for data by client'),
      datasets: uses('The same by dataset'),
      formats: uses('The same by media type; a number: status of a response without a body'),
      refused: uses('Requests that exceeded a quota, by client'),
    },
    { description: 'Counts of the node since its start: the 20 largest of each kind' },
  ),
  quotas: list('Requests that exceeded a quota, by kind of caller', {
    policy: Type.String(),
    refused: Type.Integer(),
  }),
}

/** The part of `GET /operation` about the whole hub. */
const ofHub = {
  version,
  checked: time('When the services were last checked'),
  services: serviceList,
  problems: list('Problems that need an operator', {
    component: text('Such as push'),
    detail: text('What is wrong'),
  }),
  nodes: list('Processes of the hub; one that was killed stays listed for a day', {
    id: Type.String(),
    version: Type.String(),
    started: Type.String(),
    lastSeen: time('Renewed every half minute'),
  }),
  database: Type.Object({
    engine: text('postgresql or embedded'),
    durability: text('What an acknowledged message survives'),
    migrations: Type.Object({
      newest: orNull(text('The last migration that was applied')),
      pending: Type.Array(Type.String(), { description: 'Pending migrations' }),
    }),
  }),
  queue: list('Pushed messages, by stream', {
    stream: Type.String(),
    waiting: count('Waiting to be processed'),
    dead: count('Given up'),
    unread: count('Without a mapping'),
    oldestSeconds: number('Age of the oldest waiting message'),
  }),
  changes: Type.Object({
    heldBackSeconds: number('How long the oldest transaction has held back the feeds'),
    subscriptions: Type.Record(Type.String(), Type.Integer(), {
      description: 'Webhooks by state: active, ended, failed',
    }),
    deliveries: Type.Record(Type.String(), Type.Integer(), {
      description: 'Attempts to deliver by result, of the node',
    }),
  }),
  storage: Type.Object({
    bytes: count('Size of the database'),
    tables: list('The largest tables', { table: Type.String(), rows, bytes }),
    partitions: list('Tables of measurements, the oldest month first', {
      name: Type.String(),
      month: orNull(text('Such as 2026-11; null for the tables before and after the months')),
      state: Type.Enum(['attached', 'cold', 'detaching', 'detached', 'moved']),
      next: Type.Enum(['stays', ...retirements], {
        description: 'What the settings will do with it within the hour',
      }),
      rows,
      bytes,
    }),
    growth: Type.Unsafe<{ bytes: number; bytesPerMonth: number; bytesInAYear: number } | null>({
      ...Type.Object({
        bytes: count('Of all measurements now'),
        bytesPerMonth: count('Mean of the last three complete months'),
        bytesInAYear: count('If each month takes as much as this mean'),
      }),
      type: ['object', 'null'],
      description: 'Projection for the measurements; null without a complete month',
    }),
  }),
  settings: list('Settings in force', {
    name: Type.String(),
    value: orNull(text('As written in the environment; null if not set, or secret')),
    isSecret: Type.Boolean(),
    isSet: Type.Boolean({ description: 'Whether it has a value' }),
    origin: Type.Enum(['environment', '.env', 'default']),
  }),
}

/** Schema of `GET /operation`. */
export const operationOperation = {
  operationId: 'getOperation',
  summary: 'Status and figures of the hub, for its operator',
  description:
    'For the role ADMIN. node, pools, statements, answerMemory, use, quotas and changes.deliveries are those of the responding node, everything else is of the whole hub. Figures are those of /metrics. Secret settings are listed without their values.',
  tags: ['Operation'],
  security: [{ bearer: [] }],
  response: {
    200: Type.Object({ ...ofHub, ...ofNode }),
    401: problem,
    403: problem,
    503: problem,
  },
}

type Measured = Parameters<typeof loadStatements>[1]

type Uses = readonly { readonly name: string; readonly requests: number }[]

export type OperationDeps = PartitionDeps & {
  readonly node: Node
  readonly durability: string
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly problems: () => readonly Problem[]
  readonly current: () => { readonly checked: Date; readonly services: readonly ServiceStatus[] }
  /** Returns the datasets of the catalogue that everybody may see. */
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>
  readonly figures: () => Promise<Figures>
  readonly slowest: Measured
  readonly use: (
    limit: number,
  ) => Readonly<Record<'clients' | 'datasets' | 'formats' | 'refused', Uses>>
  readonly settings: ReturnType<typeof settingsInForce>
}

/** Routes `GET /status`, for everybody, and `GET /operation`, for the operator of the hub. */
export const operationRoutes =
  (deps: OperationDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(partitionRoutes(deps))
    app.get('/status', { schema: statusOperation }, async (_request, reply) => {
      const { checked, services } = toCurrent(deps)
      const worst = Math.max(...services.map(({ status }) => states.indexOf(status)))
      void reply.header('cache-control', 'no-store')
      return {
        ...{ status: states[worst] ?? 'ok', version: deps.node.version, checked, services },
        datasets: await listDatasets(deps),
      }
    })
    app.get('/operation', { schema: operationOperation }, async (request, reply) => {
      requireRole(request.principal, 'ADMIN')
      void reply.header('cache-control', 'no-store')
      const figures = await deps.figures()
      return { ...(await describeHub(deps, figures)), ...(await describeNode(deps, figures)) }
    })
  }

function toCurrent({ current }: OperationDeps) {
  const { checked, services } = current()
  return {
    checked: checked.toISOString(),
    services: services.map((one) => ({ ...one, since: one.since.toISOString() })),
  }
}

/**
 * Returns the datasets, or null if the catalogue cannot be loaded: the status must be available
 * without the database.
 */
async function listDatasets({ datasets }: OperationDeps) {
  const found = await datasets().catch(() => undefined)
  if (found === undefined) return null
  return [...found.values()].map(({ id, title, updated, freshness }) => {
    return { id, title, updated, freshness: freshness?.state ?? null }
  })
}

async function describeHub(deps: OperationDeps, figures: Figures) {
  const { database, durability, settings } = deps
  const nodes = await loadNodes(database)
  const newest = await database.query<{ name: string }>(
    sql`select name from migration order by number desc limit 1`,
  )
  return {
    ...{ version: deps.node.version, ...toCurrent(deps), problems: [...deps.problems()] },
    nodes: nodes.map(({ id, version, started, lastSeen }) => {
      return { id, version, started: started.toISOString(), lastSeen: lastSeen.toISOString() }
    }),
    database: {
      ...{ engine: database.engine, durability },
      migrations: {
        newest: newest[0]?.name ?? null,
        pending: [...(await deps.pendingMigrations())],
      },
    },
    queue: toQueue(figures),
    changes: {
      heldBackSeconds: figures.valueOf('hub_feed_held_back_seconds'),
      subscriptions: Object.fromEntries(figures.by('hub_webhook_subscriptions', 'state')),
      deliveries: Object.fromEntries(figures.by('hub_webhook_deliveries_total', 'outcome')),
    },
    storage: toMutable(await loadStorageUse(deps)),
    settings,
  }
}

const toMutable = ({ tables, partitions, ...use }: Awaited<ReturnType<typeof loadStorageUse>>) => ({
  ...{ ...use, tables: [...tables], partitions: [...partitions] },
})

function toQueue(figures: Figures) {
  const by = (name: string) => figures.by(`hub_push_${name}`, 'stream')
  const [waiting, dead] = [by('waiting_messages'), by('dead_messages')]
  const [unread, oldest] = [by('unread_messages'), by('oldest_waiting_seconds')]
  return [...waiting.keys()].map((stream) => ({
    ...{ stream, waiting: waiting.get(stream) ?? 0, dead: dead.get(stream) ?? 0 },
    ...{ unread: unread.get(stream) ?? 0, oldestSeconds: oldest.get(stream) ?? 0 },
  }))
}

async function describeNode(deps: OperationDeps, figures: Figures) {
  const { node, database, slowest } = deps
  const { source, shapes } = await loadStatements(database, slowest)
  const use = deps.use(20)
  const kept = figures.by('hub_answer_memory_requests_total', 'result')
  const refused = figures.by('hub_quota_refused_requests_total', 'policy')
  return {
    node: {
      ...{ id: node.id, started: node.started.toISOString() },
      memoryBytes: figures.valueOf('process_resident_memory_bytes'),
      cpuSeconds: figures.valueOf('process_cpu_seconds_total'),
      eventLoopSeconds: figures.valueOf('nodejs_eventloop_lag_p99_seconds'),
    },
    pools: [...(database.pools?.() ?? [])],
    statements: { source, shapes: [...shapes] },
    answerMemory: { hit: kept.get('hit') ?? 0, miss: kept.get('miss') ?? 0 },
    use: {
      ...{ clients: [...use.clients], datasets: [...use.datasets] },
      ...{ formats: [...use.formats], refused: [...use.refused] },
    },
    quotas: [...refused].map(([policy, count]) => ({ policy, refused: count })),
  }
}

const most = 20

type Row = { readonly text: string; readonly calls: string; seconds: number; longest: number }

/**
 * Returns the statements with the highest total time. If PostgreSQL counts them, they are those of
 * all nodes: only statements in which PostgreSQL replaces the values, and only those of the hub's
 * own role.
 * @param measured measurements of this process, used if PostgreSQL does not count
 */
async function loadStatements(
  database: Queryable,
  measured: (most: number) => readonly StatementShape[],
) {
  const own = { source: 'hub', shapes: measured(most) } as const
  const [extension] = await database.query<{ schema: string }>(sql`
    select extnamespace::regnamespace::text as schema from pg_extension
    where extname = 'pg_stat_statements'
      and 'pg_stat_statements' = any(
        string_to_array(replace(current_setting('shared_preload_libraries', true), ' ', ''), ','))`)
  if (extension === undefined) return own
  const rows = await database.query<Row>(sql`
    select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::text as calls,
      total_exec_time / 1000 as seconds, max_exec_time / 1000 as longest
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and userid = current_user::regrole and query ~* '^\\s*(select|insert|update|delete|merge|with)'
    order by total_exec_time desc limit ${most}`)
  const shapes = rows.map(({ calls, ...row }) => ({ ...row, calls: Number(calls) }))
  return { source: 'pg_stat_statements', shapes } as const
}
