import { Readable } from 'node:stream'
import type { Queryable } from '../../storage/index.ts'
import { idFirst } from '../formats/index.ts'
import type { Format, Listing, LoadedRecord, Writer } from '../formats/index.ts'
import { memberName } from '../nearby/index.ts'
import { loadChunk, loadMemberNames } from './load-everything.ts'
import type { ListPlan } from './plan.ts'
import { showRecords } from './show-records.ts'
import { writeInTurns } from './write-in-turns.ts'

type Deps = { readonly database: Queryable }

type Streamed = {
  readonly plan: ListPlan
  /** Identifiers, each text a JSON array. */
  readonly chunks: readonly string[]
  readonly format: Format
  readonly listing: Omit<Listing, 'columns'>
}

/** Characters: longer texts are large objects to V8 (128 kB), which it clears away late. */
const mostPerPiece = 50_000

/** Bytes that wait for a slow client, beside the chunk in hand. */
const highWaterMark = 256 * 1024

/**
 * All matching records as one text, read chunk by chunk as the client takes it: short statements, no
 * connection held, flat memory. What fails on the way destroys the stream, and with it the connection,
 * so that a cut answer can never pass for a whole one (decision D9).
 */
export async function openStream(deps: Deps, streamed: Streamed): Promise<Readable> {
  const columns = streamed.format.needsColumns ? await loadColumns(deps, streamed) : []
  const writer = streamed.format.list({ ...streamed.listing, columns })
  // With an encoding texts stay texts: as buffers they would lie outside of the heap, where garbage is
  // seen late, and the memory of a hub with a slow client would go up and down by 50 MB.
  return Readable.from(write(writer, chunksOf(deps, streamed)), {
    objectMode: false,
    encoding: 'utf8',
    highWaterMark,
  })
}

async function* write(writer: Writer, chunks: AsyncIterable<readonly LoadedRecord[]>) {
  yield writer.begin()
  for await (const records of chunks) yield* writeInTurns(writer, records, mostPerPiece)
  yield writer.end()
}

async function* chunksOf(deps: Deps, streamed: Streamed) {
  const { plan, chunks } = streamed
  for (const chunk of chunks) {
    yield await showRecords(deps, streamed, await loadChunk(deps.database, plan, chunk))
  }
}

/** Every member that any of the records has: they are gone through once before the first is written. */
async function loadColumns(
  { database }: Deps,
  { plan, chunks, listing }: Streamed,
): Promise<readonly string[]> {
  const { fields } = listing.representation
  if (fields.length > 0) return [...new Set(['Id', ...fields.map(({ text }) => text)])]
  const nearest = plan.nearby === undefined ? [] : [memberName]
  const names = new Set<string>([...nearest, ...plan.added.map(({ name }) => name)])
  for (const chunk of chunks) {
    for (const name of await loadMemberNames(database, plan, chunk)) names.add(name)
  }
  return chunks.length === 0 ? [] : idFirst([...[...names].sort(), 'Self'])
}
