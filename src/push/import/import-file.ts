import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { tryAgain } from '../../storage/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import type { Pipeline, Stored } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { forgetCheckpoint, keepCheckpoint, loadCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { isBlank, readBatches } from './read-batches.ts'
import type { Batch } from './read-batches.ts'
import { storeKept } from './store-kept.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
}

type Request = {
  readonly file: string
  /** `provider/dataset` */
  readonly stream: string
  /** Whether what an interrupted import left behind does not count. */
  readonly isAnew?: boolean
  /** Told the part of the file that is done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Told of every item that was not stored. */
  readonly onRejected: (rejection: Rejection) => void
}

/** What became of a file. Counts include what an interrupted import of the same file had done. */
export type Imported = {
  readonly stored: number
  readonly rejected: number
  /** Lines that an interrupted import had done. */
  readonly resumedAfter: number
}

/** Nobody waits for an answer, so a statement may take longer than in a request. */
const patient = { statementTimeout: 300_000 }

/**
 * Stores a file in the canonical formats, some hundred lines at a time when it is NDJSON, so that memory
 * stays flat. What was read before a failure is stored, and the next import of the same file goes on
 * behind it.
 * @throws Error when the file cannot be read or is in no canonical format
 */
export async function importFile(deps: Deps, request: Request): Promise<Imported> {
  const { size, mtimeMs: modified } = await stat(request.file)
  const place = { file: resolve(request.file), stream: request.stream }
  const earlier = request.isAnew ? undefined : await loadCheckpoint(deps.database, place)
  const isSame = earlier?.size === size && earlier.modified === modified
  let reached: Checkpoint = isSame ? earlier : { size, modified, lines: 0, stored: 0, rejected: 0 }
  const resumedAfter = reached.lines
  for await (const read of readBatches(request.file)) {
    const batch = behind(read, reached.lines)
    if (batch.lines.length === 0) continue
    const before = reached
    const { next, rejected } = await storeBatch(deps, { request, batch, before, place })
    reached = next
    for (const rejection of rejected) request.onRejected(rejection)
    request.onProgress(batch.read)
  }
  await forgetCheckpoint(deps.database, place)
  const { stored, rejected } = reached
  return { stored, rejected, resumedAfter }
}

/** The lines of a batch that are not done yet. */
function behind({ lines, first, read }: Batch, done: number): Batch {
  const over = Math.min(Math.max(done - first + 1, 0), lines.length)
  return { lines: lines.slice(over), first: first + over, read }
}

type Storing = {
  readonly request: Request
  readonly batch: Batch
  readonly before: Checkpoint
  readonly place: { readonly file: string; readonly stream: string }
}

/** Stores a batch and how far the file is done now in one transaction. */
function storeBatch({ database, ...deps }: Deps, { request, batch, before, place }: Storing) {
  // A running hub may be storing pushes of the same records.
  return tryAgain(() =>
    database.transaction(async (tx) => {
      const { stored, rejected } = await storeLines(tx, deps, { request, batch })
      const next: Checkpoint = {
        ...before,
        lines: before.lines + batch.lines.length,
        stored: before.stored + stored,
        rejected: before.rejected + rejected.length,
      }
      await keepCheckpoint(tx, place, next)
      return { next, rejected }
    }, patient),
  )
}

async function storeLines(
  tx: Transaction,
  { pipelines, now }: Omit<Deps, 'database'>,
  { request: { file, stream }, batch }: Pick<Storing, 'request' | 'batch'>,
): Promise<Stored> {
  const { lines, first } = batch
  const lead = lines.findIndex((line) => !isBlank(line))
  if (lead === -1) return { stored: 0, rejected: [] }
  const body = Buffer.concat(lines.flatMap((line) => [line, newline]))
  const message = { stream, received: now(), mayBackdate: true, body, sender: 'import' }
  const outcome = await storeKept(tx, { pipelines, now }, message)
  if (outcome.unread !== undefined) {
    if (first + lead > 1) return { stored: 0, rejected: foreign(batch) }
    const { pointer = '', reason } = outcome.unread
    const why = `${pointer} ${reason}`.trim()
    throw new Error(`${file}, line 1: ${why}. This is no canonical format (docs/push-formats.md).`)
  }
  // A body of one value has no lines.
  const place = ({ line = lead + 1 }: Rejection) => first + line - 1
  return { ...outcome, rejected: outcome.rejected.map((one) => ({ ...one, line: place(one) })) }
}

const newline = Buffer.from('\n')

/** Every line of a batch in which none is in a canonical format. */
function foreign({ lines, first }: Batch): readonly Rejection[] {
  const reason = 'is no canonical format'
  return lines.flatMap((line, index) =>
    isBlank(line) ? [] : [{ index: null, line: first + index, reason }],
  )
}
