import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { orNull, problem } from '../lang/schemas.ts'
import { retirements } from '../timeseries/index.ts'
import { services, states } from './watch-services.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const list = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Array(Type.Object(fields), { description })

const version = text('Version of the hub')
const status = Type.Enum([...states], {
  description: 'degraded: it answers, but something is wrong; down: it does not answer',
})
const serviceList = list('Each service', {
  service: Type.Enum([...services]),
  status,
  since: time('Since when this is its status, as far as the node that answers knows'),
})

/** `GET /status` */
export const statusOperation = {
  operationId: 'getStatus',
  summary: 'Whether each service of the hub is well, and how fresh its datasets are',
  description:
    'For everybody, and also while the database does not answer. Checked every 5 seconds; the datasets are those of the catalogue.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      status,
      version,
      checked: time('When the services were last checked'),
      services: serviceList,
      datasets: Type.Unsafe<readonly DatasetStatus[] | null>({
        ...list('What everybody can see; null while the catalogue cannot be read', {
          id: text('Identifier in the catalogue, such as content/Accommodation'),
          title: Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() }),
          updated: orNull(text('The newest change, for stations the newest value; ISO 8601')),
          freshness: orNull(text('fresh, late, stale or silent; null without series')),
        }),
        type: ['array', 'null'],
      }),
    }),
  },
}

export type DatasetStatus = {
  readonly id: string
  readonly title: { readonly de: string; readonly it: string; readonly en: string }
  readonly updated: string | null
  readonly freshness: string | null
}

const uses = (description: string) =>
  list(description, { name: Type.String(), requests: Type.Integer() })
const rows = orNull(count('As PostgreSQL last estimated; null before it ever did'))
const bytes = count('With indexes')

/** What `GET /operation` returns of the process that answers. */
const ofNode = {
  node: Type.Object({
    id: text('The node that answers'),
    started: time('Since when it has been counting'),
    memoryBytes: count('Resident memory'),
    cpuSeconds: number('CPU time since its start'),
    eventLoopSeconds: number('How late the event loop is, 99th percentile'),
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
    shapes: list('Statements without their values, those that take the most time in all first', {
      text: Type.String(),
      calls: Type.Integer(),
      seconds: number('Of all calls together'),
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
    { description: 'Counts of the node since its start, the 20 largest of each' },
  ),
  quotas: list('Requests that exceeded a quota, by kind of caller', {
    policy: Type.String(),
    refused: Type.Integer(),
  }),
}

/** What it returns of the whole hub. */
const ofHub = {
  version,
  checked: time('When the services were last checked'),
  services: serviceList,
  problems: list('What an operator should look at', {
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
      newest: orNull(text('The last that was applied')),
      pending: Type.Array(Type.String(), { description: 'Those that are missing' }),
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
        bytesPerMonth: count('Mean of the last three whole months'),
        bytesInAYear: count('If each month is like these'),
      }),
      type: ['object', 'null'],
      description: 'Projection for the measurements; null without a whole month',
    }),
  }),
  settings: list('Settings in force', {
    name: Type.String(),
    value: orNull(text('As it is written in the environment; null if not set, or secret')),
    isSecret: Type.Boolean(),
    isSet: Type.Boolean({ description: 'Whether it has a value' }),
    origin: Type.Enum(['environment', '.env', 'default']),
  }),
}

/** `GET /operation` */
export const operationOperation = {
  operationId: 'getOperation',
  summary: 'How the hub is doing, for whoever runs it',
  description:
    'For the role ADMIN. node, pools, statements, answerMemory, use, quotas and changes.deliveries are of the node that answers, the rest is of the whole hub. Figures are those of /metrics. Secret settings are listed without their values.',
  tags: ['Operation'],
  security: [{ bearer: [] }],
  response: {
    200: Type.Object({ ...ofHub, ...ofNode }),
    401: problem,
    403: problem,
    503: problem,
  },
}
