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
import type { Rejection } from './rejection.ts'
import { storeKept } from './try-out.ts'

const endings = ['.json', '.ndjson', '.jsonl', '.json.gz', '.ndjson.gz', '.jsonl.gz']

/**
 * The files to import: a given file with any name, and of a folder those that look like
 * the canonical formats, also in folders below, in the order of their paths.
 * @throws Error when a path does not exist, or a folder has no such file
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
  /** Whether what an interrupted import left behind does not count. */
  readonly isAnew?: boolean
  /** Called with the part of the file that is done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Called with every item that was not stored. */
  readonly onRejected: (rejection: Rejection) => void
}

/** What became of a file. Counts include what an interrupted import of the same file had done. */
type Imported = {
  readonly stored: number
  readonly rejected: number
  readonly resumedAfter: number
}

/** Nobody waits for an answer, so a statement may take longer than in a request. */
const patient = { statementTimeout: 300_000 }

/**
 * Stores a file in the canonical formats, some hundred lines at a time when it is NDJSON, so that memory
 * stays flat. What was read before a failure is stored, and the next import of the same file continues
 * after it.
 * @throws Error when the file cannot be read or is in no canonical format
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

/** A batch that is read and checked; what there is to store of it. */
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

/** Checks one part at a time, so that the database is not kept waiting for its next statement. */
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

/** The same values, each next one in the making while one is used. */
async function* oneAhead<Value>(values: AsyncIterable<Value>): AsyncIterable<Value> {
  const iterator = values[Symbol.asyncIterator]()
  try {
    for (let coming = iterator.next(); ;) {
      const step = await coming
      if (step.done === true) return
      coming = iterator.next()
      // What fails is reported when its turn comes.
      coming.catch(() => undefined)
      yield step.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** The lines of a batch that are not done yet. */
function behind({ lines, first, read }: Batch, done: number): Batch {
  const over = Math.min(Math.max(done - first + 1, 0), lines.length)
  return { lines: lines.slice(over), first: first + over, read }
}

type Storing = {
  readonly request: Request
  readonly batch: Prepared
  readonly before: Checkpoint
  readonly place: { readonly file: string; readonly stream: string }
}

/** Stores a batch and how far the file is done now in one transaction. */
function storeBatch({ database, now }: Deps, { request, batch, before, place }: Storing) {
  // A running hub may be storing pushes of the same records.
  return tryAgain(() =>
    database.transaction(async (tx) => {
      const { stored, rejected } = await storeLines(tx, now, { request, batch })
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
    if (first + lead > 1) return { stored: 0, rejected: foreign(batch) }
    const { pointer = '', reason } = outcome.unread
    const why = `${pointer} ${reason}`.trim()
    throw new Error(
      `${file}, line 1: ${why}. This is not a canonical format (docs/push-formats.md).`,
    )
  }
  // A body of one value has no lines.
  const place = ({ line = lead + 1 }: Rejection) => first + line - 1
  return { ...outcome, rejected: outcome.rejected.map((one) => ({ ...one, line: place(one) })) }
}

const newline = Buffer.from('\n')

/** Every line of a batch in which none is in a canonical format. */
function foreign({ lines, first }: Batch): readonly Rejection[] {
  const reason = 'is not a canonical format'
  return lines.flatMap((line, index) =>
    isBlank(line) ? [] : [{ index: null, line: first + index, reason }],
  )
}

/** A file and the stream it is read into. */
type Place = { readonly file: string; readonly stream: string }

const count = Type.Integer({ minimum: 0 })
/** How far an import of a file came. */
const checkpointSchema = Type.Object({
  /** Of the file that was read; another one with the same name starts again. */
  size: count,
  modified: Type.Number(),
  lines: count,
  stored: count,
  rejected: count,
})
type Checkpoint = Static<typeof checkpointSchema>
const checkpoint = Compile(checkpointSchema)

/** What an earlier import of the file left behind, when it did not come to the end. */
async function loadCheckpoint(database: Queryable, place: Place): Promise<Checkpoint | undefined> {
  const [row] = await database.query<{ readonly value: string }>(
    sql`select value from deployment where name = ${nameOf(place)}`,
  )
  const value: unknown = row === undefined ? undefined : JSON.parse(row.value)
  return checkpoint.Check(value) ? value : undefined
}

/** Written in the transaction that stores the lines, so no line is counted twice or skipped. */
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

/** Lines of a file that are stored together, or a whole file that is one JSON text. */
type Batch = {
  /** The lines, with a newline between them. */
  readonly lines: readonly Buffer[]
  /** Line of the file that the batch begins with, counted from 1. */
  readonly first: number
  /** Part of the file that is read, from 0 to 1. */
  readonly read: number
}

/** One transaction for many lines, but none that holds others up for long. */
const mostLines = 500
const mostBytes = 2_097_152

/** Beyond it a text does not fit into what JavaScript can hold. */
const mostOfText = 268_435_456

/**
 * The lines of an NDJSON file in batches; a file whose first line is not a whole JSON value is one body. Read as
 * a stream, so that memory stays flat; decompressed if it is gzip, regardless of its name.
 * @throws Error when it cannot be read, or has a JSON text too large to be read
 */
async function* readBatches(file: string): AsyncIterable<Batch> {
  const { size } = await stat(file)
  const packed = createReadStream(file)
  const bytes = (await isGzip(file)) ? createGunzip() : new PassThrough()
  // The failure is reported to the reader of the lines.
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

/** No other character of UTF-8 holds the byte of a newline, so bytes can be cut before they are read. */
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
    if (length > mostOfText) throw tooLarge()
  }
  if (length > 0) yield Buffer.concat(begun)
}

async function* inBatches(lines: AsyncIterable<Buffer>, read: () => number): AsyncIterable<Batch> {
  let held: Buffer[] = []
  let [bytes, first] = [0, 1]
  let isWhole: boolean | undefined
  const take = (): Batch => {
    const batch = { lines: held, first, read: read() }
    ;[held, bytes, first] = [[], 0, first + held.length]
    return batch
  }
  for await (const line of lines) {
    if (isWhole === undefined && !isBlank(line)) isWhole = !isJson(line)
    held.push(line)
    bytes += line.length + 1
    if (isWhole === true && bytes > mostOfText) throw tooLarge()
    if (isWhole !== true && (held.length >= mostLines || bytes >= mostBytes)) yield take()
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
    'One JSON text of it has more than 256 MiB; write NDJSON, an object on each line.',
  )
}
