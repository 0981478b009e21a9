import { Readable } from 'node:stream'
import { inBatches, inSteps } from '../../async/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { idFirst } from '../formats/index.ts'
import type { Format, Listing, LoadedRecord, Writer } from '../formats/index.ts'
import { fieldName } from '../nearby/nearest.ts'
import { dataOf } from '../representation.ts'
import { matchesOf, nearestShown, showRecords, versionOf, withNearest } from './load-page.ts'
import type { ListPlan } from './plan.ts'

/**
 * Records per statement. This determines how much is held in memory, and how long a statement of a
 * stream takes.
 */
const recordsPerStatement = 100

/**
 * The identifiers of the records of a long page, in list order and in chunks. Each chunk is a JSON
 * array as text.
 */
type Everything = {
  /** Dataset version of the same snapshot. */
  readonly version: string
  readonly chunks: readonly string[]
}

/**
 * Selects the records of a stream in one statement. This keeps every order that a list can have,
 * including those that no index serves, and concurrent writes repeat or skip no record (decision
 * D9). The identifiers stay packed; their size is some thousandths of that of the records.
 */
export async function loadEverything(database: Queryable, plan: ListPlan): Promise<Everything> {
  const rows = await database.texts(sql`
    select version, ids
    from (select ${versionOf(plan)} as version) as dataset
    left join (
      select chunk, json_agg(id order by place) as ids
      from (
        select id, place, (place - 1) / ${recordsPerStatement}::bigint as chunk
        from (
          select id, row_number() over (order by ${plan.order}) as place
          from ${matchesOf(plan)}) as numbered
        where ${placesOf(plan)}) as placed
      group by chunk) as chunks on true
    order by chunk`)
  return {
    version: rows[0]?.[0] ?? '',
    chunks: rows.flatMap(([, ids]) => (typeof ids === 'string' ? [ids] : [])),
  }
}

function placesOf({ pageNumber, pageSize }: ListPlan): Sql {
  const first = BigInt(pageNumber - 1) * BigInt(pageSize) + 1n
  const last = first + BigInt(pageSize) - 1n
  return sql`place between ${String(first)}::numeric and ${String(last)}::numeric`
}

/**
 * Loads the records of a chunk, in its order, as they are now. The conditions are checked again:
 * records that have been deleted or closed since, or that no longer match, are not shown.
 */
export async function loadChunk(
  database: Queryable,
  plan: ListPlan,
  chunk: string,
): Promise<readonly LoadedRecord[]> {
  const rows = await database.texts(sql`
    select id, ${dataOf(plan)}, ${nearestShown(plan.nearby)}
    from (select * from ${matchesOf(inChunk(plan, chunk))}) as matches
    join json_array_elements_text(${chunk}::json) with ordinality as wanted (wanted_id, wanted_place)
      on wanted_id = id
    order by wanted_place`)
  const records = rows.flatMap(([id, data, nearest = null]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data, nearest }] : [],
  )
  return withNearest(plan.nearby, records)
}

/** Loads the names of all fields of the records of a chunk, as the caller sees them. */
async function loadFieldNames(
  database: Queryable,
  plan: ListPlan,
  chunk: string,
): Promise<readonly string[]> {
  const rows = await database.texts(sql`
    select distinct member_name
    from (select * from ${matchesOf({ ...inChunk(plan, chunk), nearby: undefined })}) as matches
    cross join lateral jsonb_object_keys(${dataOf(plan)}) as members (member_name)`)
  return rows.flatMap(([name]) => name ?? [])
}

function inChunk(plan: ListPlan, chunk: string): ListPlan {
  const isInChunk = sql`id = any(array(select json_array_elements_text(${chunk}::json)))`
  return { ...plan, where: all([isInChunk, plan.where]) }
}

type Deps = { readonly database: Queryable }

type Streamed = {
  readonly plan: ListPlan
  /** Identifiers; each text is a JSON array. */
  readonly chunks: readonly string[]
  readonly format: Format
  readonly listing: Omit<Listing, 'columns'>
}

/**
 * Maximum length of a piece, in characters. Longer texts are large objects to V8 (128 kB), which it
 * collects late.
 */
const maxPerPiece = 50_000

/** Bytes that are buffered for a slow client, besides the current chunk. */
const highWaterMark = 256 * 1024

/**
 * Streams all matching records, reading a chunk whenever the client is ready for it: short
 * statements, no connection held, flat memory. A failure destroys the stream and with it the
 * connection, so that a truncated response can never pass for a complete one (decision D9).
 */
export async function openStream(deps: Deps, streamed: Streamed): Promise<Readable> {
  const columns = streamed.format.needsColumns ? await loadColumns(deps, streamed) : []
  const writer = await streamed.format.list({ ...streamed.listing, columns })
  // With an encoding, texts stay texts. As buffers they would be outside of the heap, where garbage
  // is collected late, and the memory of a hub with a slow client would vary by 50 MB.
  const encoding = streamed.format.isBinary === true ? {} : { encoding: 'utf8' as const }
  const options = { objectMode: false, highWaterMark, ...encoding }
  return Readable.from(writePieces(writer, batchesOf(chunksOf(deps, streamed))), options)
}

/** Yields what a writer makes of batches of records, in pieces. */
export async function* writePieces(
  writer: Writer,
  batches: AsyncIterable<readonly LoadedRecord[]>,
): AsyncGenerator<string | Uint8Array> {
  yield* inSteps(writer.begin())
  for await (const records of batches) yield* inSteps(writer.records(records))
  yield* inSteps(writer.end())
}

async function* batchesOf(chunks: AsyncIterable<readonly LoadedRecord[]>) {
  for await (const records of chunks) yield* inBatches(records, maxPerPiece)
}

async function* chunksOf(deps: Deps, streamed: Streamed) {
  const { plan, chunks } = streamed
  for (const chunk of chunks) {
    yield await showRecords(deps, streamed, await loadChunk(deps.database, plan, chunk))
  }
}

/**
 * Returns every field that any of the records has. This reads all of them once before the first is
 * written.
 */
async function loadColumns(
  { database }: Deps,
  { plan, chunks, listing }: Streamed,
): Promise<readonly string[]> {
  const { fields } = listing.representation
  if (fields.length > 0) return [...new Set(['Id', ...fields.map(({ text }) => text)])]
  const nearest = plan.nearby === undefined ? [] : [fieldName]
  const added = [
    ...plan.added.map(({ name }) => name),
    ...plan.rewrites.flatMap(({ adds }) => adds),
  ]
  const names = new Set<string>([...nearest, ...added])
  for (const chunk of chunks) {
    for (const name of await loadFieldNames(database, plan, chunk)) names.add(name)
  }
  return chunks.length === 0 ? [] : idFirst([...[...names].sort(), 'Self'])
}
