import { readResponse, toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import type { ApiRequest } from '../query/index.ts'
import { saveBlob } from '../../design/save-blob.ts'
import { recordCounter } from './export-request.ts'

type DownloadState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly bytes: number; readonly records: number | undefined }
  | {
      readonly kind: 'done'
      readonly name: string
      readonly bytes: number
      readonly isPartial: boolean
    }
  | { readonly kind: 'cancelled' }
  /** The hub refused the request. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The transfer was interrupted, or the file could not be written. */
  | { readonly kind: 'broken'; readonly where: 'network' | 'disk' }

type DownloadOrder = {
  readonly request: ApiRequest
  readonly format: string
  readonly name: string
}

type Download = {
  readonly state: DownloadState
  readonly start: (order: DownloadOrder) => Promise<void>
  readonly cancel: () => void
  readonly reset: () => void
}

const diskFailure = 'DiskFailure'

/** Creates a download that streams a response of the hub to disk and reports its progress. */
export function createDownload(): Download {
  let state = $state.raw<DownloadState>({ kind: 'none' })
  let stop = new AbortController()

  async function start(order: DownloadOrder) {
    stop = new AbortController()
    const { signal } = stop
    const sink = await openFile(order.name, 'application/octet-stream')
    if (sink === undefined) return
    state = { kind: 'running', bytes: 0, records: undefined }
    try {
      const response = await readResponse(order.request.path, order.request.query, {
        signal,
        accept: '*/*',
      })
      const bytes = await pour(response, sink, {
        count: recordCounter(order.format),
        onprogress: (progress) => (state = { kind: 'running', ...progress }),
      })
      const isPartial = response.headers.has('x-withheld')
      state = { kind: 'done', name: order.name, bytes, isPartial }
    } catch (thrown) {
      await sink.abandon().catch(() => undefined)
      state = signal.aborted ? { kind: 'cancelled' } : toState(thrown, state)
    }
  }

  return {
    get state() {
      return state
    },
    start,
    cancel: () => {
      stop.abort()
    },
    reset: () => {
      state = { kind: 'none' }
    },
  }
}

function toState(thrown: unknown, before: DownloadState): DownloadState {
  if (thrown instanceof Error && thrown.name === diskFailure)
    return { kind: 'broken', where: 'disk' }
  const hasBegun = before.kind === 'running' && before.bytes > 0
  return hasBegun
    ? { kind: 'broken', where: 'network' }
    : { kind: 'failed', failure: toFailure(thrown) }
}

type Progress = { readonly bytes: number; readonly records: number | undefined }

type Watch = {
  readonly count: (chunk: Uint8Array) => number | undefined
  readonly onprogress: (progress: Progress) => void
}

/** Minimum interval between progress reports, in milliseconds. */
const pause = 100

async function pour(response: Response, sink: FileSink, { count, onprogress }: Watch) {
  const reader = response.body?.getReader()
  let bytes = 0
  let told = 0
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || value === undefined) break
    await sink.write(value).catch(onDisk)
    bytes += value.byteLength
    const records = count(value)
    if (performance.now() - told > pause) {
      told = performance.now()
      onprogress({ bytes, records })
    }
  }
  await sink.close().catch(onDisk)
  return bytes
}

function onDisk(thrown: unknown): never {
  const failure = new Error('The file could not be written', { cause: thrown })
  failure.name = diskFailure
  throw failure
}

/** Destination of a file that is written chunk by chunk. */
type FileSink = {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Completes the file. */
  readonly close: () => Promise<void>
  /** Discards the file. */
  readonly abandon: () => Promise<void>
}

/**
 * Number of bytes after which chunks are merged into one blob, which the browser may move to disk.
 */
const pieceSize = 8_000_000

/**
 * Opens a file that the user picks and that is written as data arrives. Browsers without a file
 * picker collect the data and download it at the end. Must be called in the click handler, because
 * the picker requires a user gesture.
 * @returns undefined if the user cancelled the picker
 */
async function openFile(name: string, mediaType: string): Promise<FileSink | undefined> {
  const pick: unknown = Reflect.get(window, 'showSaveFilePicker')
  if (!isPicker(pick)) return downloadAtEnd(name, mediaType)
  try {
    const handle = await pick({ suggestedName: name })
    const stream = await handle.createWritable()
    return {
      write: (chunk) => stream.write(chunk),
      close: () => stream.close(),
      abandon: () => stream.abort(),
    }
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return undefined
    // In frames, or if settings forbid the picker, the download at the end still works.
    return downloadAtEnd(name, mediaType)
  }
}

type Picker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>

function isPicker(value: unknown): value is Picker {
  return typeof value === 'function'
}

function downloadAtEnd(name: string, mediaType: string): FileSink {
  let pieces: BlobPart[] = []
  let size = 0
  return {
    write: (chunk) => {
      pieces.push(chunk)
      size += chunk.byteLength
      if (size > pieceSize) {
        pieces = [new Blob(pieces)]
        size = 0
      }
      return Promise.resolve()
    },
    close: () => {
      saveBlob(name, new Blob(pieces, { type: mediaType }))
      return Promise.resolve()
    },
    abandon: () => {
      pieces = []
      return Promise.resolve()
    },
  }
}
