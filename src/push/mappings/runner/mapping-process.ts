import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stableCompilers } from '../../../../bin/node-options.js'
import type { Log } from '../../../storage/index.ts'
import type { LoadedMapping } from '../definition/definition.ts'
import type { Slice, Work } from '../evaluate/evaluate-message.ts'
import type { SourceRejection } from '../faults.ts'

/** What the hub sends to the process that evaluates mappings. */
export type ToProcess =
  | {
      readonly kind: 'load'
      readonly mappings: readonly LoadedMapping[]
      readonly maxBytes: number
    }
  | { readonly kind: 'map'; readonly id: number; readonly mapping: string; readonly work: Work }

/** What it answers. Each is a sign of life. */
export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'slice'; readonly id: number; readonly slice: Slice }
  | { readonly kind: 'done'; readonly id: number }
  /** Nothing of the message can be taken. */
  | { readonly kind: 'refused'; readonly id: number; readonly rejected: readonly SourceRejection[] }
  /** A fault of the hub, not of the message. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }

export type ProcessOptions = {
  readonly mappings: readonly LoadedMapping[]
  /** Mebibytes that the process may have in memory. */
  readonly memory: number
  /** Bytes of a body, with everything unpacked from it. */
  readonly maxBytes: number
  readonly log: Pick<Log, 'warn'>
}

/** Why the process gave no answer. */
export type Ending = 'memory' | 'silence' | 'late' | 'size' | 'crash' | 'closed'

/** The process that evaluates mappings, seen from the hub: one message at a time. */
export type MappingProcess = {
  readonly send: (message: ToProcess) => void
  /** The listener of the moment gets every answer, and the end. */
  readonly listen: (listener: {
    readonly onMessage: (message: FromProcess) => void
    readonly onEnd: (ending: Ending) => void
  }) => void
  readonly isAlive: () => boolean
  /** Rejects when it never gets ready. */
  readonly ready: Promise<void>
  /** Ends it at once, also in the middle of its work. */
  readonly kill: (ending: Ending) => void
  readonly ended: Promise<void>
}

/** Beside this file; `.ts` when Node strips the types, `.js` in the built package. */
const program = fileURLToPath(
  new URL(`./evaluate-mappings${extname(import.meta.url)}`, import.meta.url),
)

/** Milliseconds within which it must get ready; a busy machine takes its time. */
const startPatience = 60_000

/** Of the complaint of a process that crashed. */
const keptCharacters = 2000

/**
 * Starts the process, without the settings of the hub and its secrets. V8 ends it when it takes more
 * memory than it may.
 */
export function startMappingProcess(options: ProcessOptions): MappingProcess {
  const { mappings, maxBytes, memory, log } = options
  const child = forkChild(memory)
  const complaint = keepComplaint(child)
  const ended = Promise.withResolvers<undefined>()
  const ready = readiness()
  let listener: Parameters<MappingProcess['listen']>[0] | undefined
  let ending: Ending | undefined
  let isAlive = true
  const end = (found: Ending) => {
    if (!isAlive) return
    isAlive = false
    if (found === 'crash') log.warn({ complaint: complaint() }, crashed)
    ready.fail(found)
    listener?.onEnd(found)
    ended.resolve(undefined)
  }
  child.on('message', (message: unknown) => {
    ready.reach()
    if (isAnswer(message)) listener?.onMessage(message)
  })
  child.once('close', () => {
    end(ending ?? (complaint().includes('heap out of memory') ? 'memory' : 'crash'))
  })
  child.once('error', () => {
    end('crash')
  })
  const kill = (why: Ending) => {
    ending ??= why
    child.kill('SIGKILL')
  }
  ready.onLate(kill)
  const send = sendTo(child)
  send({ kind: 'load', mappings, maxBytes })
  const listen: MappingProcess['listen'] = (next) => {
    listener = next
  }
  return { send, listen, isAlive: () => isAlive, ready: ready.promise, kill, ended: ended.promise }
}

/** Settles once: reached, or failed because the process ended before. */
function readiness() {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout | undefined
  // Nobody may be waiting for it.
  promise.catch(() => undefined)
  return {
    promise,
    reach: () => {
      clearTimeout(timer)
      resolve(undefined)
    },
    fail: (why: Ending) => {
      clearTimeout(timer)
      reject(new Error(`The mapping process does not start (${why})`))
    },
    onLate: (kill: (why: Ending) => void) => {
      timer = setTimeout(() => {
        kill('late')
      }, startPatience)
    },
  }
}

const crashed = 'The process that evaluates mappings ended by itself.'

function forkChild(memory: number): ChildProcess {
  return fork(program, {
    execArgv: [
      `--max-old-space-size=${String(memory)}`,
      '--max-semi-space-size=16',
      ...stableCompilers,
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** A process that ended before it read the message is reported by its exit. */
function sendTo(child: ChildProcess): MappingProcess['send'] {
  return (message) => {
    child.send(message, () => undefined)
  }
}

function keepComplaint({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-keptCharacters * 5)
  })
  return () => text
}

/** The channel is private to the hub and the process. */
function isAnswer(message: unknown): message is FromProcess {
  return typeof message === 'object' && message !== null && 'kind' in message
}
