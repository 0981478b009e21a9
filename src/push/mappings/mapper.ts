import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { MappedMessage } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { limitsOf, streamsOf, weightOf, weightOfOne } from './definition/definition.ts'
import type { LoadedMapping } from './definition/definition.ts'
import type { MessageContext, Slice, Work } from './evaluate/evaluate-message.ts'
import type { SourceRejection } from './faults.ts'
import { startMappingProcess } from './runner/mapping-process.ts'
import type {
  Ending,
  FromProcess,
  MappingProcess,
  ProcessOptions,
} from './runner/mapping-process.ts'

/** A canonical object and the payload item it was made of. Null if it comes before the items. */
export type PlacedObject = { readonly source: number | null; readonly value: unknown }

/** Result of a mapping for a message. */
export type Mapped = {
  readonly mapping: LoadedMapping
  readonly objects: readonly PlacedObject[]
  readonly rejected: readonly Rejection[]
  /** Number of further rejections, which are too many to be kept. */
  readonly unlisted?: number
}

/** Converter of messages to canonical objects by the mappings of streams, in a separate process. */
export type Mapper = {
  /** Returns the mapping of a stream, or undefined if it has none. */
  readonly of: (stream: string) => LoadedMapping | undefined
  /**
   * Evaluates the mapping of the message's stream. Whatever an expression does, this resolves
   * within the limits of the mapping: what cannot be evaluated is rejected.
   * @throws Error without a mapping, or if its process cannot be started or is closed meanwhile
   */
  readonly map: (message: MappedMessage) => Promise<Mapped>
  readonly close: () => Promise<void>
}

/** Number of items that may end or block the process before the rest of a message is rejected. */
const maxEndings = 3

/** Maximum characters of the result of a message, per byte that a body may have. */
const charactersPerByte = 8

type Runner = {
  /** @throws Error if the process does not start */
  readonly start: () => Promise<MappingProcess>
  /** Maximum characters of the result of a message. */
  readonly room: number
}

export function createMapper(options: ProcessOptions): Mapper {
  const byStream = new Map(
    options.mappings.flatMap((mapping) =>
      [mapping.stream, ...streamsOf(mapping.definition)].map(
        (stream) => [stream, mapping] as const,
      ),
    ),
  )
  const { map, close } = evaluator(options)
  return {
    of: (stream) => byStream.get(stream),
    map: async (message) => {
      const mapping = byStream.get(message.stream)
      if (mapping === undefined) throw new Error(`There is no mapping for ${message.stream}`)
      return map(mapping, message)
    },
    close,
  }
}

/** Evaluator of mappings that become known only with a message. */
export type DraftMapper = {
  /** Evaluates a mapping like `Mapper.map`. */
  readonly map: (mapping: LoadedMapping, message: MappedMessage) => Promise<Mapped>
  readonly close: () => Promise<void>
}

export function createDraftMapper(options: Omit<ProcessOptions, 'mappings'>): DraftMapper {
  const { maxBytes } = options
  return evaluator({ ...options, mappings: [] }, (process, mapping) => {
    process.send({ kind: 'load', mappings: [mapping], maxBytes })
  })
}

type Prepare = (process: MappingProcess, mapping: LoadedMapping) => void

/**
 * Evaluates messages one after another in a process. The first message starts it, and also the
 * first one after it has ended.
 * @param prepare called before each attempt, if the process does not have the mapping yet
 */
function evaluator(options: ProcessOptions, prepare: Prepare = () => undefined): DraftMapper {
  let running: MappingProcess | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const start = async () => {
    if (isClosed) throw new Error('The mapping process is closed')
    if (running?.isAlive() !== true) running = startMappingProcess(options)
    const started = running
    await started.ready
    return started
  }
  return {
    map: async (mapping, message) => {
      const prepared = async () => {
        const started = await start()
        prepare(started, mapping)
        return started
      }
      const runner = { start: prepared, room: options.maxBytes * charactersPerByte }
      // One at a time: the process has one thread, and the time of a message starts with its turn.
      const mapped = turn.then(() => mapMessage(runner, mapping, message))
      turn = mapped.catch(() => undefined)
      return mapped
    },
    close: async () => {
      isClosed = true
      running?.kill('closed')
      await running?.ended
    },
  }
}

/** Evaluates a message. After an item that ended the process, it continues in a new one. */
async function mapMessage(
  runner: Runner,
  mapping: LoadedMapping,
  message: MappedMessage,
): Promise<Mapped> {
  const progress = beginProgress(runner.room)
  const evaluateRest = evaluateFrom(runner, mapping, message)
  let [endings, crashes, isCareful] = [0, 0, false]
  for (;;) {
    const end = await evaluateRest(progress, isCareful)
    if (end === 'done') break
    if (end === 'closed') throw new Error('The mapping process is closed')
    const reason = reasons[end](mapping)
    if (progress.total === undefined && end === 'crash' && crashes === 0) {
      // It is not certain yet that the message is the cause.
      crashes += 1
      continue
    }
    if (progress.total === undefined || end === 'late' || end === 'size') {
      progress.rejected.push(refuseRest(progress, reason))
      break
    }
    if (!isCareful) {
      isCareful = true
      continue
    }
    progress.rejected.push({ index: progress.next, reason })
    progress.next += 1
    endings += 1
    isCareful = false
    if (progress.next >= progress.total) break
    if (endings < maxEndings) continue
    progress.rejected.push(refuseRest(progress, 'has too many items that cannot be evaluated'))
    break
  }
  const { objects, rejected, unlisted } = progress
  return { mapping, objects, rejected, unlisted }
}

/** Evaluates the rest of a message within the rest of its time. */
function evaluateFrom({ start }: Runner, mapping: LoadedMapping, message: MappedMessage) {
  const { seconds, itemSeconds } = limitsOf(mapping.definition)
  const { body } = message
  const context = contextOf(message)
  const patience = itemSeconds * 1000 + grace
  let left = seconds * 1000 + grace
  return async (progress: Progress, isCareful: boolean): Promise<'done' | Ending> => {
    const isFirst = progress.total === undefined
    const work = { body, context, from: progress.next, isFirst, isCareful }
    // Starting the process does not count towards the time of the message.
    const running = await start()
    const began = performance.now()
    const end = await attempt(running, { mapping: mapping.name, work, left, patience }, progress)
    left = Math.max(0, left - (performance.now() - began))
    return end
  }
}

/** Milliseconds beyond the limits of a mapping after which its process is killed. */
const grace = 1000

type Reasons = Readonly<Record<Exclude<Ending, 'closed'>, (mapping: LoadedMapping) => string>>

const reasons: Reasons = {
  memory: () => 'needs more memory than a mapping may use (HUB_MAPPING_MEMORY)',
  silence: ({ definition }) =>
    `takes more than ${String(limitsOf(definition).itemSeconds)} s to evaluate (limits.itemSeconds)`,
  late: ({ definition }) =>
    `takes more than ${String(limitsOf(definition).seconds)} s to evaluate (limits.seconds)`,
  crash: () => 'crashes the process that evaluates it',
  size: () =>
    `has a result of more than ${String(charactersPerByte)} times the body limit (HUB_PUSH_BODY_LIMIT)`,
}

function refuseRest({ next, total }: Progress, reason: string): Rejection {
  if (total === undefined || next === 0) return { index: null, reason: `the message ${reason}` }
  return {
    index: null,
    reason: `items ${String(next)} to ${String(total - 1)}: the message ${reason}`,
  }
}

function contextOf({ stream, received, contentType }: MappedMessage): MessageContext {
  const [provider = '', dataset = ''] = stream.split('/')
  return { stream, provider, dataset, received: received.toISOString(), contentType }
}

/** Progress of a message. Each attempt adds to it. */
export type Progress = {
  /** The first item that is not done. */
  next: number
  /** Number of items of the message. Undefined until it is known. */
  total: number | undefined
  /** Characters left for objects and rejections, each of which counts 100 more than its text. */
  room: number
  readonly objects: { readonly source: number | null; readonly value: unknown }[]
  readonly rejected: Rejection[]
  /** Number of rejections that are counted but not kept. */
  unlisted: number
}

/**
 * Maximum number of rejections that are kept, which is more than a receipt lists. The rest is
 * counted.
 */
const maxRejections = 99_000

/** @param room maximum characters of the result of the message */
export function beginProgress(room: number): Progress {
  return { next: 0, total: undefined, room, objects: [], rejected: [], unlisted: 0 }
}

/**
 * Adds the results of some items.
 * @returns whether there was room for them; otherwise nothing was added
 * @throws Error if they cannot be parsed
 */
export function takeSlice({ next, total, objects, rejected }: Slice, progress: Progress): boolean {
  const kept = rejected.slice(0, Math.max(0, maxRejections - progress.rejected.length))
  const weight = objects.length + weightOf(kept)
  if (weight > progress.room) return false
  const placed = readObjects(objects)
  progress.room -= weight + placed.length * weightOfOne
  if (progress.room < 0) return false
  progress.next = next
  progress.total = total
  note(rejected, progress)
  for (const one of placed) progress.objects.push(one)
  return true
}

/** Adds rejections, and only counts those that are too many to be kept. */
function note(rejected: readonly SourceRejection[], progress: Progress): void {
  for (const { source, ...why } of rejected) {
    if (progress.rejected.length < maxRejections) progress.rejected.push({ index: source, ...why })
    else progress.unlisted += 1
  }
}

function readObjects(objects: string): Progress['objects'] {
  const pairs: unknown = JSON.parse(`[${objects}]`)
  if (!evaluated.Check(pairs)) throw new Error('The mapping process sent an unknown answer')
  return pairs.flatMap(([source, values]) => values.map((value) => ({ source, value })))
}

const evaluated = Compile(
  Type.Array(Type.Tuple([Type.Union([Type.Integer(), Type.Null()]), Type.Array(Type.Unknown())])),
)

/** Milliseconds of delay from which on a timer shows that the thread was busy. */
const busy = 100

type Watch = {
  /** Reports a sign of life. The next one must follow within the patience. */
  readonly sign: () => void
  readonly end: () => void
}

/**
 * Calls `onSilence` if signs of life stop, after the first one. If this thread itself was busy, it
 * first reads what arrived meanwhile, and after a long pause waits once more.
 * @param patience maximum milliseconds between two signs
 */
export function watchLife(patience: number, onSilence: () => void): Watch {
  let timer: NodeJS.Timeout | undefined
  let check: NodeJS.Immediate | undefined
  const end = () => {
    clearTimeout(timer)
    clearImmediate(check)
  }
  const sign = () => {
    end()
    const due = performance.now() + patience
    timer = setTimeout(() => {
      const wasBusy = performance.now() - due > busy
      // Pending messages are read before this is called. A sign of life among them cancels it.
      check = setImmediate(wasBusy ? sign : onSilence)
    }, patience)
  }
  return { sign, end }
}

type Task = {
  readonly mapping: string
  readonly work: Work
  /** Milliseconds left for the whole message. */
  readonly left: number
  /** Maximum milliseconds between two signs of life, once the items are known. */
  readonly patience: number
}

let lastId = 0

/**
 * Evaluates the rest of a message in a process that is ready.
 * @returns `done`, or how the process ended; then it is gone
 * @throws Error if it fails because of a bug in the hub
 */
async function attempt(
  running: MappingProcess,
  { mapping, work, left, patience }: Task,
  progress: Progress,
): Promise<'done' | Ending> {
  const id = ++lastId
  const end = Promise.withResolvers<'done' | Ending>()
  const watch = watchLife(patience, () => {
    running.kill('silence')
  })
  let isFull = false
  running.listen({
    onMessage: (message) => {
      if (message.kind === 'ready' || message.id !== id || isFull) return
      if (message.kind === 'slice') watch.sign()
      const outcome = take(message, progress)
      if (outcome === 'full') {
        isFull = true
        running.kill('size')
      } else if (outcome === 'done') end.resolve('done')
      else if (outcome !== undefined) {
        end.reject(outcome)
        running.kill('crash')
      }
    },
    onEnd: end.resolve,
  })
  const late = setTimeout(() => {
    setImmediate(() => {
      running.kill('late')
    })
  }, left)
  running.send({ kind: 'map', id, mapping, work })
  try {
    return await end.promise
  } finally {
    clearTimeout(late)
    watch.end()
  }
}

/** Returns `done`, `full` if it is too much, an error, or undefined if more follows. */
function take(
  message: Exclude<FromProcess, { readonly kind: 'ready' }>,
  progress: Progress,
): 'done' | 'full' | Error | undefined {
  switch (message.kind) {
    case 'done':
      return 'done'
    case 'failed':
      return new Error(message.reason)
    case 'refused':
      note(message.rejected, progress)
      return 'done'
    case 'slice':
      return tryTo(() => (takeSlice(message.slice, progress) ? undefined : 'full'))
  }
}

/** Returns an error instead of throwing it, because in a listener it would end the thread. */
function tryTo<Result>(act: () => Result): Result | Error {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
