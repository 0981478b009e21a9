import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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
import { operationOperation, statusOperation } from './schemas.ts'
import { loadStorageUse } from './storage-use.ts'
import { states } from './watch-services.ts'
import type { ServiceStatus } from './watch-services.ts'
import type { Queryable } from '../storage/index.ts'

type Measured = Parameters<typeof loadStatements>[1]

type Uses = readonly { readonly name: string; readonly requests: number }[]

export type OperationDeps = PartitionDeps & {
  readonly node: Node
  readonly durability: string
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly problems: () => readonly Problem[]
  readonly current: () => { readonly checked: Date; readonly services: readonly ServiceStatus[] }
  /** What everybody may see of the catalogue. */
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>
  readonly figures: () => Promise<Figures>
  readonly slowest: Measured
  readonly use: (
    limit: number,
  ) => Readonly<Record<'clients' | 'datasets' | 'formats' | 'refused', Uses>>
  readonly settings: ReturnType<typeof settingsInForce>
}

/** `GET /status`, for everybody, and `GET /operation`, for whoever runs the hub. */
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

/** The status must be there when the database is not, from which a catalogue is made first. */
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
 * The statements that take the most time in all, from PostgreSQL where it counts them: those of all nodes. Only
 * statements whose values PostgreSQL replaces are read, and only those of the hub's own role.
 * @param measured what this process has measured, for where it does not
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
