import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stableCompilers } from '../../../../bin/node-options.js'
import type { Log } from '../../../storage/index.ts'
import type { LoadedMapping } from '../definition/definition.ts'
import type { Slice, Work } from '../evaluate/evaluate-message.ts'
import type { SourceRejection } from '../faults.ts'

/** Messages from the hub to the process that evaluates mappings. */
export type ToProcess =
  | {
      readonly kind: 'load'
      readonly mappings: readonly LoadedMapping[]
      readonly maxBytes: number
    }
  | { readonly kind: 'map'; readonly id: number; readonly mapping: string; readonly work: Work }

/** Messages from that process to the hub. Each is a sign of life. */
export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'slice'; readonly id: number; readonly slice: Slice }
  | { readonly kind: 'done'; readonly id: number }
  /** The whole message is rejected. */
  | { readonly kind: 'refused'; readonly id: number; readonly rejected: readonly SourceRejection[] }
  /** Evaluation failed because of the hub, not because of the message. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }

export type ProcessOptions = {
  readonly mappings: readonly LoadedMapping[]
  /** Maximum memory of the process, in mebibytes. */
  readonly memory: number
  /** Maximum bytes of a body, including everything unpacked from it. */
  readonly maxBytes: number
  readonly log: Pick<Log, 'warn'>
}

/** Why the process ended without a result. */
export type Ending = 'memory' | 'silence' | 'late' | 'size' | 'crash' | 'closed'

/** The process that evaluates mappings, as the hub uses it: one message at a time. */
export type MappingProcess = {
  readonly send: (message: ToProcess) => void
  /**
   * Sets the listener for all messages of the process and for its end. It replaces the previous
   * one.
   */
  readonly listen: (listener: {
    readonly onMessage: (message: FromProcess) => void
    readonly onEnd: (ending: Ending) => void
  }) => void
  readonly isAlive: () => boolean
  /** Rejects if the process never becomes ready. */
  readonly ready: Promise<void>
  /** Ends the process immediately, even in the middle of its work. */
  readonly kill: (ending: Ending) => void
  readonly ended: Promise<void>
}

/** Program beside this file: `.ts` if Node strips the types, `.js` in the built package. */
const program = fileURLToPath(
  new URL(`./evaluate-mappings${extname(import.meta.url)}`, import.meta.url),
)

/**
 * Milliseconds within which the process must become ready, which takes a while on a busy machine.
 */
const startPatience = 60_000

/** Five times this many characters of the process's error output are kept, in case it crashes. */
const keptCharacters = 2000

/**
 * Starts the process, without the settings of the hub and its secrets. V8 ends it if it uses more
 * memory than allowed.
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

/**
 * Creates a promise that settles once: when the process is ready, or fails because it ended before.
 */
function readiness() {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout | undefined
  // Prevents an unhandled rejection, because there may be no caller that waits for it.
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

/**
 * Returns a function that sends messages and ignores failures: a process that ended before it read
 * a message is reported by its exit.
 */
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

/**
 * Reports whether a message is from the process. A shallow check is enough: the channel is private
 * to the hub and the process.
 */
function isAnswer(message: unknown): message is FromProcess {
  return typeof message === 'object' && message !== null && 'kind' in message
}
