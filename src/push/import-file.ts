import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { tryAgain } from '../storage/index.ts'
import type { Database } from '../storage/index.ts'
import type { Pipeline, Stored } from './pipeline.ts'
import type { Rejection } from './rejection.ts'
import { keepImport } from './keep-import.ts'
import { storeBody } from './store-body.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
}

type Request = {
  readonly file: string
  /** `provider/dataset` */
  readonly stream: string
  /** Told how many bytes of how many are read. */
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Stores a file in the canonical formats, line by line when it is NDJSON, so that memory stays flat.
 * Each object is committed by itself: what was read before a failure is stored.
 * @throws Error when the file cannot be read or is in no canonical format
 */
export async function importFile(deps: Deps, request: Request): Promise<Stored> {
  const { size } = await stat(request.file)
  let [done, stored, line] = [0, 0, 0]
  const rejected: Rejection[][] = []
  for await (const body of bodiesOf(request.file)) {
    line += 1
    done += Buffer.byteLength(body) + 1
    if (body.trim() === '') continue
    const outcome = await storeOne(deps, request, { body, line })
    stored += outcome.stored
    rejected.push(outcome.rejected.map((rejection) => ({ ...rejection, line })))
    request.onProgress(Math.min(done, size), size)
  }
  return { stored, rejected: rejected.flat() }
}

/** The lines of an NDJSON file; a file whose first line is no whole JSON is one body. */
async function* bodiesOf(file: string): AsyncIterable<string> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  const whole: string[] = []
  let isFirst = true
  for await (const text of lines) {
    if (isFirst && !isJson(text)) whole.push(text)
    else if (whole.length > 0) whole.push(text)
    else yield text
    isFirst = isFirst && text.trim() === ''
  }
  if (whole.length > 0) yield whole.join('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function storeOne(
  deps: Deps,
  { stream, file }: Request,
  { body, line }: { readonly body: string; readonly line: number },
): Promise<Stored> {
  const message = { stream, received: deps.now(), mayBackdate: true, body: Buffer.from(body) }
  // A running hub may be storing pushes of the same records.
  const outcome = await tryAgain(() =>
    deps.database.transaction(async (tx) => {
      const keeping = keepImport(tx, message)
      const stored = await storeBody(tx, deps.pipelines, { ...message, keptAs: keeping.keptAs })
      if (stored !== undefined) await keeping.finish({ ...stored, finished: deps.now() })
      return stored
    }),
  )
  if (outcome !== undefined) return outcome
  if (line > 1) return { stored: 0, rejected: [{ index: null, reason: 'is no canonical format' }] }
  throw new Error(
    `${file}, line ${String(line)}: this is no canonical format (docs/push-formats.md).`,
  )
}
