import { hash, randomUUID } from 'node:crypto'
import { parsePushScope } from '../access/index.ts'
import { tableOf } from '../content/index.ts'
import type { Entity } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable, Transaction } from '../storage/index.ts'
import { storeMessage } from './accept/store-message.ts'
import type { NewMessage } from './accept/store-message.ts'
import { storeBody, storeParts, waitingIfPatient } from './pipeline.ts'
import type { EvaluatedMessage, Mappings, Pipeline, Stored } from './pipeline.ts'
import { settleMessages } from './queue/claim-messages.ts'
import { compareValues } from './mappings/samples.ts'
import type { Difference } from './mappings/samples.ts'

/** A body to try out. Nothing of it stays stored. */
export type Trial = {
  readonly stream: string
  readonly received: Date
  /** The client that would send it. */
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | null
  readonly body: Uint8Array
  /** `compare` also reports the differences from what is stored. */
  readonly aim?: 'compare'
}

type TrialDeps = {
  readonly database: Database
  /** Entities whose records are compared. Default: none. */
  readonly entities?: readonly Entity[]
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
  /**
   * Milliseconds that a message waits for missing stations or data types. Without it, none waits.
   */
  readonly patience?: number
  readonly now?: () => Date
}

/**
 * Outcome that a body would have. With the aim `compare`, also the records that it would change.
 */
export type Tried = Stored & {
  readonly compared?: {
    /** The first 100 of these records. */
    readonly records: readonly ChangedRecord[]
    readonly count: number
  }
}

/**
 * Stores a body as a push would, and rolls back. Returns what would be stored and rejected.
 * @throws AppError HUB-SRV-007 if too many trials wait for their mappings
 */
export async function tryOut(deps: TrialDeps, trial: Trial): Promise<Tried> {
  const { database, entities = [] } = deps
  const isMapped = deps.mappings?.secondsFor(trial.stream) !== undefined
  const evaluated = isMapped ? await deps.mappings.evaluateTrial(trial) : undefined
  const rollback = new Error('A trial ends without a commit')
  const tried: { outcome: Stored; written?: Written } = { outcome: { stored: 0, rejected: [] } }
  try {
    await database.transaction(async (tx) => {
      const mark = trial.aim === 'compare' ? await markChanges(tx) : undefined
      tried.outcome = await storeTrial(tx, { ...deps, evaluated }, trial)
      if (mark !== undefined) tried.written = await readWritten(tx, mark, entities)
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  const { outcome, written } = tried
  if (written === undefined) return outcome
  const records = await compareWithStored(database, written, entities)
  return { ...outcome, compared: { records, count: written.count } }
}

type Evaluated = Pick<TrialDeps, 'pipelines' | 'patience' | 'now'> & {
  readonly evaluated: EvaluatedMessage | undefined
}

async function storeTrial(tx: Transaction, deps: Evaluated, trial: Trial): Promise<Stored> {
  const { pipelines, evaluated, now = () => trial.received, ...rest } = deps
  const { stream, received, mayBackdate, body } = trial
  const keptAs = () => Promise.resolve(randomUUID())
  const { scope, isOrdered } = await loadStream(tx, trial)
  const origin = { stream, received, mayBackdate, scope, keptAs }
  const stored =
    evaluated === undefined
      ? await storeBody(tx, pipelines, { ...origin, body })
      : { ...(await storeParts(tx, evaluated.parts(), origin)), mapping: evaluated.mapping }
  return waitingIfPatient(stored, { received, isOrdered }, { ...rest, now })
}

/** Loads what the sender may write on the stream, and whether the stream is ordered. */
async function loadStream(tx: Transaction, { sender, stream }: Trial) {
  const [row] = await tx.query<{ scope: string | null; isOrdered: boolean }>(sql`
    select push_scope(${sender}, ${stream}) as scope,
      exists (select from push_stream where stream = ${stream} and is_ordered) as "isOrdered"`)
  return { scope: parsePushScope(row?.scope ?? null), isOrdered: row?.isOrdered ?? false }
}

type KeptDeps = { readonly pipelines: readonly Pipeline[]; readonly now: () => Date }

/** A body that does not come from a push, and its sender. */
type SentBody = Pick<NewMessage, 'stream' | 'received' | 'mayBackdate' | 'body' | 'sender'>

/**
 * Stores a body, and keeps it as a message if a stored record refers to where it came from.
 * Otherwise it is not kept, because measurements would only be stored twice.
 */
export async function storeKept(
  tx: Transaction,
  { pipelines, now }: KeptDeps,
  brought: SentBody,
): Promise<Stored> {
  const id = randomUUID()
  let keeping: Promise<void> | undefined
  const keptAs = async () => {
    keeping ??= storeMessage(tx, toMessage(id, brought))
    await keeping
    return id
  }
  const outcome = await storeBody(tx, pipelines, { ...brought, keptAs, listed: Infinity })
  // Settled, so that no worker claims it as a waiting message.
  if (keeping !== undefined) await settleMessages(tx, new Map([[id, outcome]]), now())
  return outcome
}

function toMessage(id: string, brought: SentBody): NewMessage {
  const sha256 = hash('sha256', brought.body, 'buffer')
  const asSent = { contentType: 'application/json', headers: {}, packed: undefined, sha256 }
  return { id, ...asSent, ...brought }
}

/** A record that a message would change: its current and its future fields. */
type ChangedRecord = {
  /** Name of its change feed: `Event`, `stations/ParkingStation`, `timeseries/ParkingStation`. */
  readonly dataset: string
  /**
   * Id of a record, or code of a station. For a latest value: station code, data type and period.
   */
  readonly id: string
  readonly kind: 'create' | 'update' | 'delete'
  /** The first 50 changed fields. Empty if only the time of the last write changes. */
  readonly differences: readonly Difference[]
}

/** Maximum number of changed records that are compared. Nobody reads more. */
const maxCompared = 100

/** A stored record. */
type State = { readonly id: string; readonly name: string; readonly data: string }

type Changed = { readonly dataset: string; readonly ids: readonly string[] }

type Written = {
  readonly changed: readonly Changed[]
  readonly states: ReadonlyMap<string, State>
  /** Number of all changed records, including those that are not compared. */
  readonly count: number
}

async function markChanges(tx: Transaction): Promise<string> {
  const [row] = await tx.texts(sql`select coalesce(max(sequence), 0)::text from change`)
  return row?.[0] ?? '0'
}

/** Reads what the transaction has written after a mark. */
async function readWritten(
  tx: Transaction,
  mark: string,
  entities: readonly Entity[],
): Promise<Written> {
  const rows = await tx.query<{ readonly dataset: string; readonly id: string }>(sql`
    select distinct dataset, id from change
    where sequence > ${mark}::bigint and xid = pg_current_xact_id()
      and (area = 'content' or starts_with(dataset, 'stations/') or starts_with(dataset, 'timeseries/'))
    order by dataset, id`)
  const compared = Map.groupBy(rows.slice(0, maxCompared), ({ dataset }) => dataset)
  const changed = [...compared].map(([dataset, all]) => ({ dataset, ids: all.map(({ id }) => id) }))
  return { changed, states: await loadStates(tx, changed, entities), count: rows.length }
}

/** Compares what a transaction wrote with what is stored, after the transaction was rolled back. */
async function compareWithStored(
  database: Queryable,
  { changed, states: after }: Written,
  entities: readonly Entity[],
): Promise<readonly ChangedRecord[]> {
  const before = await loadStates(database, changed, entities)
  return changed.flatMap(({ dataset, ids }) =>
    ids.flatMap((id) => {
      const key = keyOf(dataset, id)
      return toChanged(dataset, before.get(key), after.get(key))
    }),
  )
}

function keyOf(dataset: string, id: string): string {
  return `${dataset} ${id}`
}

function toChanged(
  dataset: string,
  before: State | undefined,
  after: State | undefined,
): readonly ChangedRecord[] {
  const id = after?.name ?? before?.name
  if (id === undefined) return []
  const kind = after === undefined ? 'delete' : before === undefined ? 'create' : 'update'
  const found = [...compareValues(parse(before), parse(after))]
  return [{ dataset, id, kind, differences: found.slice(0, maxDifferences) }]
}

const maxDifferences = 50

/** Parses the fields of a record. A missing record has none, so that all fields are compared. */
function parse(state: State | undefined): unknown {
  return state === undefined ? {} : JSON.parse(state.data)
}

async function loadStates(
  database: Queryable,
  changed: readonly Changed[],
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  for (const one of changed) {
    for (const state of await loadDataset(database, one, entities)) {
      states.set(keyOf(one.dataset, state.id), state)
    }
  }
  return states
}

function loadDataset(
  database: Queryable,
  { dataset, ids }: Changed,
  entities: readonly Entity[],
): Promise<readonly State[]> {
  const [area, type = ''] = dataset.split('/')
  if (area === 'stations') return loadStations(database, type, ids)
  if (area === 'timeseries') return loadLatest(database, ids)
  const entity = entities.find(({ name }) => name === dataset)
  if (entity === undefined) return Promise.resolve([])
  return database.query<State>(sql`
    select id, id as name, data from ${tableOf(entity)} where id = any(${ids}::text[])`)
}

function loadStations(
  database: Queryable,
  type: string,
  codes: readonly string[],
): Promise<readonly State[]> {
  return database.query<State>(sql`
    select code as id, code as name, jsonb_build_object('name', name, 'origin', origin,
      'active', active, 'available', available, 'closed', closed, 'metadata', metadata,
      'coordinate', st_asgeojson(point)::jsonb -> 'coordinates') as data
    from station where type = ${type} and code = any(${codes}::text[])`)
}

function loadLatest(database: Queryable, series: readonly string[]): Promise<readonly State[]> {
  return database.query<State>(sql`
    select series.id::text as id,
      concat_ws(' ', station.code, data_type.name, series.period) as name,
      jsonb_build_object('time', valid_time,
        'value', coalesce(json, to_jsonb(number), to_jsonb(text))) as data
    from latest
    join series on series.id = latest.series_id
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    where series.id::text = any(${series}::text[])`)
}
