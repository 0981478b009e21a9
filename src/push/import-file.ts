import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { yieldToEventLoop } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import { tryAgain } from '../storage/index.ts'
import type { Database, Queryable, Transaction } from '../storage/index.ts'
import { readBody } from './pipeline.ts'
import type { Part, Pipeline, Reading, Stored } from './pipeline.ts'
import { countRejected } from './rejection.ts'
import type { Rejection } from './rejection.ts'
import { storeKept } from './try-out.ts'

const endings = ['.json', '.ndjson', '.jsonl', '.json.gz', '.ndjson.gz', '.jsonl.gz']

/**
 * Lists the files to import: each given file, whatever its name, and from each given folder and its
 * subfolders the files that are named like a canonical format, sorted by path.
 * @throws Error if a path does not exist, or a folder has no such file
 */
export async function listFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of paths) files.push(...(await filesOf(path)))
  return files
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
  if (files.length > 0) return files.sort()
  throw new Error(`${path} has no file that ends with ${endings.join(', ')}.`)
}

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
}

type Request = {
  readonly file: string
  /** `provider/dataset` */
  readonly stream: string
  /** Whether to start again instead of resuming an interrupted import. */
  readonly isAnew?: boolean
  /** Called with the fraction of the file that is done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Called with each item that was not stored. */
  readonly onRejected: (rejection: Rejection) => void
}

/** Result of an import. The counts include what an interrupted import of the same file had done. */
type Imported = {
  readonly stored: number
  readonly rejected: number
  readonly resumedAfter: number
}

/** No caller waits for a response, so a statement may take longer than in a request. */
const patient = { statementTimeout: 300_000 }

/**
 * Stores a file in a canonical format. NDJSON is stored in batches of some hundred lines, so that
 * memory use stays constant. What was read before a failure stays stored, and the next import of
 * the same file resumes after it.
 * @throws Error if the file cannot be read or is not in a canonical format
 */
export async function importFile(deps: Deps, request: Request): Promise<Imported> {
  const { size, mtimeMs: modified } = await stat(request.file)
  const place = { file: resolve(request.file), stream: request.stream }
  const earlier = request.isAnew ? undefined : await loadCheckpoint(deps.database, place)
  const isSame = earlier?.size === size && earlier.modified === modified
  let reached: Checkpoint = isSame ? earlier : { size, modified, lines: 0, stored: 0, rejected: 0 }
  const resumedAfter = reached.lines
  for await (const batch of oneAhead(prepared(deps.pipelines, request.file, resumedAfter))) {
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

/** A batch that has been read and checked, with the parts to store. */
type Prepared = Batch & { readonly body: Buffer; readonly reading: Reading }

async function* prepared(
  pipelines: readonly Pipeline[],
  file: string,
  done: number,
): AsyncIterable<Prepared> {
  for await (const read of readBatches(file)) {
    const batch = behind(read, done)
    if (batch.lines.length === 0) continue
    const body = Buffer.concat(batch.lines.flatMap((line) => [line, newline]))
    yield { ...batch, body, reading: await readPieceByPiece(pipelines, body) }
  }
}

/**
 * Checks one part at a time and yields to the event loop in between, so that the database is not
 * kept waiting for its next statement.
 */
async function readPieceByPiece(pipelines: readonly Pipeline[], body: Buffer): Promise<Reading> {
  const reading = readBody(pipelines, body)
  if (reading.kind === 'foreign') return reading
  const parts: Part[] = []
  for (const part of reading.parts) {
    parts.push(part)
    await yieldToEventLoop()
  }
  return { kind: 'read', parts }
}

/** Yields the same values, but already requests the next one while the current one is used. */
async function* oneAhead<Value>(values: AsyncIterable<Value>): AsyncIterable<Value> {
  const iterator = values[Symbol.asyncIterator]()
  try {
    for (let coming = iterator.next(); ;) {
      const step = await coming
      if (step.done === true) return
      coming = iterator.next()
      // A failure is reported when this value is awaited.
      coming.catch(() => undefined)
      yield step.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Returns a batch without its lines that are already done. */
function behind(batch: Batch, done: number): Batch {
  const { lines, first } = batch
  const over = Math.min(Math.max(done - first + 1, 0), lines.length)
  return { ...batch, lines: lines.slice(over), first: first + over }
}

type Storing = {
  readonly request: Request
  readonly batch: Prepared
  readonly before: Checkpoint
  readonly place: { readonly file: string; readonly stream: string }
}

/** Stores a batch and the checkpoint after it in one transaction. */
function storeBatch({ database, now }: Deps, { request, batch, before, place }: Storing) {
  // Retried because a running hub may be storing pushes of the same records.
  return tryAgain(() =>
    database.transaction(async (tx) => {
      const { stored, rejected } = await storeLines(tx, now, { request, batch })
      const next: Checkpoint = {
        ...before,
        lines: before.lines + batch.lines.length,
        stored: before.stored + stored,
        rejected: before.rejected + countRejected(rejected),
      }
      await keepCheckpoint(tx, place, next)
      return { next, rejected }
    }, patient),
  )
}

async function storeLines(
  tx: Transaction,
  now: Deps['now'],
  { request: { file, stream }, batch }: Pick<Storing, 'request' | 'batch'>,
): Promise<Stored> {
  const { lines, first, body, reading } = batch
  const lead = lines.findIndex((line) => !isBlank(line))
  if (lead === -1) return { stored: 0, rejected: [] }
  const pipelines = [{ id: 'prepared', read: () => reading }]
  const message = { stream, received: now(), mayBackdate: true, body, sender: 'import' }
  const outcome = await storeKept(tx, { pipelines, now }, message)
  if (outcome.unread !== undefined) {
    if (!batch.isStart) return { stored: 0, rejected: foreign(batch) }
    const { pointer = '', reason } = outcome.unread
    const why = `${pointer} ${reason}`.trim()
    throw new Error(
      `${file}, line ${String(first + lead)}: ${why}. This is not a canonical format (docs/push-formats.md).`,
    )
  }
  // Rejections in a body of one JSON value have no line.
  const place = ({ line = lead + 1 }: Rejection) => first + line - 1
  return { ...outcome, rejected: outcome.rejected.map((one) => ({ ...one, line: place(one) })) }
}

const newline = Buffer.from('\n')

/** Rejects every nonblank line of a batch without any canonical object. */
function foreign({ lines, first }: Batch): readonly Rejection[] {
  const reason = 'is not a canonical format'
  return lines.flatMap((line, index) =>
    isBlank(line) ? [] : [{ index: null, line: first + index, reason }],
  )
}

/** A file and the stream into which it is imported. */
type Place = { readonly file: string; readonly stream: string }

const count = Type.Integer({ minimum: 0 })
/** Checkpoint of an unfinished import. */
const checkpointSchema = Type.Object({
  /** Size of the imported file. A different file with the same name is imported from the start. */
  size: count,
  modified: Type.Number(),
  lines: count,
  stored: count,
  rejected: count,
})
type Checkpoint = Static<typeof checkpointSchema>
const checkpoint = Compile(checkpointSchema)

/** Loads the checkpoint of an earlier import that was interrupted. */
async function loadCheckpoint(database: Queryable, place: Place): Promise<Checkpoint | undefined> {
  const [row] = await database.query<{ readonly value: string }>(
    sql`select value from deployment where name = ${nameOf(place)}`,
  )
  const value: unknown = row === undefined ? undefined : JSON.parse(row.value)
  return checkpoint.Check(value) ? value : undefined
}

/**
 * Stores a checkpoint in the transaction that stores the lines, so that no line is counted twice or
 * skipped.
 */
async function keepCheckpoint(
  database: Queryable,
  place: Place,
  reached: Checkpoint,
): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value) values (${nameOf(place)}, ${JSON.stringify(reached)})
    on conflict (name) do update set value = excluded.value`)
}

async function forgetCheckpoint(database: Queryable, place: Place): Promise<void> {
  await database.execute(sql`delete from deployment where name = ${nameOf(place)}`)
}

function nameOf({ file, stream }: Place): string {
  return `import of ${file} into ${stream}`
}

/** Lines of a file that are stored together, or the whole file if it is one JSON text. */
type Batch = {
  /** The lines, without their newlines. */
  readonly lines: readonly Buffer[]
  /** Line of the file with which the batch starts, counted from 1. */
  readonly first: number
  /** Whether all lines before it are blank. */
  readonly isStart: boolean
  /** Fraction of the file that has been read, from 0 to 1. */
  readonly read: number
}

/** Limits of one transaction: many lines, but not so many that it blocks others for long. */
const maxLines = 500
const maxBytes = 2_097_152

/** Maximum bytes of one JSON text: a larger one does not fit into what JavaScript can hold. */
const maxTextBytes = 268_435_456

/**
 * Yields the lines of an NDJSON file in batches. A file whose first line is not a complete JSON
 * value is one batch. The file is streamed, so that memory use stays constant, and decompressed if
 * its content is gzip, regardless of its name.
 * @throws Error if the file cannot be read, or has a JSON text that is too large
 */
async function* readBatches(file: string): AsyncIterable<Batch> {
  const { size } = await stat(file)
  const packed = createReadStream(file)
  const bytes = (await isGzip(file)) ? createGunzip() : new PassThrough()
  // Whoever reads the lines gets the error.
  void pipeline(packed, bytes).catch(() => undefined)
  try {
    yield* inBatches(linesOf(bytes), () => (size === 0 ? 1 : packed.bytesRead / size))
  } finally {
    packed.destroy()
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/**
 * Splits bytes into lines before they are decoded: no multi-byte character of UTF-8 contains the
 * byte of a newline.
 */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)])
      ;[begun, length, start] = [[], 0, end + 1]
    }
    begun.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > maxTextBytes) throw tooLarge()
  }
  if (length > 0) yield Buffer.concat(begun)
}

async function* inBatches(lines: AsyncIterable<Buffer>, read: () => number): AsyncIterable<Batch> {
  let held: Buffer[] = []
  let [bytes, first] = [0, 1]
  let isWhole: boolean | undefined
  let isStart = true
  const take = (): Batch => {
    const batch = { lines: held, first, isStart, read: read() }
    ;[held, bytes, first, isStart] = [[], 0, first + held.length, isWhole === undefined]
    return batch
  }
  for await (const line of lines) {
    if (isWhole === undefined && !isBlank(line)) isWhole = !isJson(line)
    held.push(line)
    bytes += line.length + 1
    if (isWhole === true && bytes > maxTextBytes) throw tooLarge()
    if (isWhole !== true && (held.length >= maxLines || bytes >= maxBytes)) yield take()
  }
  if (held.length > 0) yield take()
}

function isBlank(line: Buffer): boolean {
  return line.toString().trim() === ''
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString().replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

function tooLarge(): Error {
  return new Error(
    'The file has a JSON text of more than 256 MiB. Write NDJSON instead: one object per line.',
  )
}
