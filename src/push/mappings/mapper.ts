import { performance } from 'node:perf_hooks'
import type { MappedMessage } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { streamsOf } from './definition/load-mapping.ts'
import { limitsOf } from './evaluate/compile-mapping.ts'
import type { MessageContext } from './evaluate/evaluate-message.ts'
import { allRejected, attempt, beginProgress } from './runner/attempt.ts'
import type { Progress } from './runner/attempt.ts'
import { startMappingProcess } from './runner/mapping-process.ts'
import type { Ending, MappingProcess, ProcessOptions } from './runner/mapping-process.ts'

/** A canonical object, and the item of the payload that it was made of; null: what comes before them. */
export type PlacedObject = { readonly source: number | null; readonly value: unknown }

/** What a message became. */
export type Mapped = {
  readonly mapping: LoadedMapping
  readonly objects: readonly PlacedObject[]
  readonly rejected: readonly Rejection[]
}

/** Turns messages of streams that have a mapping into canonical objects, in a process of its own. */
export type Mapper = {
  /** The mapping of a stream; undefined when it has none. */
  readonly of: (stream: string) => LoadedMapping | undefined
  /**
   * Evaluates the mapping of the message's stream. Whatever an expression does, this resolves, within the
   * limits of the mapping: what cannot be evaluated is rejected.
   * @throws Error when there is no mapping, or its process cannot be started or is closed meanwhile
   */
  readonly map: (message: MappedMessage) => Promise<Mapped>
  readonly close: () => Promise<void>
}

/** So many items of a message may end the process, or keep it too long; then the rest is rejected. */
const mostEndings = 3

/** Characters that a message may become for each byte that a body may have. */
const charactersPerByte = 8

/** What evaluating a message needs. */
type Runner = {
  /** @throws Error when the process does not start */
  readonly start: () => Promise<MappingProcess>
  /** Characters that a message may become. */
  readonly room: number
}

/** The process is started by the first message, and again after it ended. */
export function createMapper(options: ProcessOptions): Mapper {
  const byStream = new Map(
    options.mappings.flatMap((mapping) =>
      [mapping.stream, ...streamsOf(mapping.definition)].map(
        (stream) => [stream, mapping] as const,
      ),
    ),
  )
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
  const runner = { start, room: options.maxBytes * charactersPerByte }
  return {
    of: (stream) => byStream.get(stream),
    map: async (message) => {
      const mapping = byStream.get(message.stream)
      if (mapping === undefined) throw new Error(`There is no mapping for ${message.stream}`)
      // One at a time: the process has one thread, and the time of a message begins with its turn.
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

/** Goes on behind an item that ended the process, with a new one. */
async function mapMessage(
  runner: Runner,
  mapping: LoadedMapping,
  message: MappedMessage,
): Promise<Mapped> {
  const progress = beginProgress(runner.room)
  const evaluateRest = evaluator(runner, mapping, message)
  let [endings, crashes, isCareful] = [0, 0, false]
  for (;;) {
    const end = await evaluateRest(progress, isCareful)
    if (end === 'done') break
    if (end === 'closed') throw new Error('The mapping process is closed')
    const reason = reasons[end](mapping)
    if (progress.total === undefined && end === 'crash' && crashes === 0) {
      // Nothing says yet that it is the message's fault.
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
    if (endings < mostEndings) continue
    progress.rejected.push(refuseRest(progress, 'too many items could not be evaluated at all'))
    break
  }
  return { mapping, objects: progress.objects, rejected: allRejected(progress) }
}

/** Has what is left of a message evaluated, within the time that is left of it. */
function evaluator({ start }: Runner, mapping: LoadedMapping, message: MappedMessage) {
  const { seconds, itemSeconds } = limitsOf(mapping.definition)
  const { body } = message
  const context = contextOf(message)
  const patience = itemSeconds * 1000 + grace
  let left = seconds * 1000 + grace
  return async (progress: Progress, isCareful: boolean): Promise<'done' | Ending> => {
    const isFirst = progress.total === undefined
    const work = { body, context, from: progress.next, isFirst, isCareful }
    // To start the process takes nothing of the time of the message.
    const running = await start()
    const began = performance.now()
    const end = await attempt(running, { mapping: mapping.name, work, left, patience }, progress)
    left = Math.max(0, left - (performance.now() - began))
    return end
  }
}

/** Milliseconds beyond the limits of a mapping before it is ended by force. */
const grace = 1000

type Reasons = Readonly<Record<Exclude<Ending, 'closed'>, (mapping: LoadedMapping) => string>>

const reasons: Reasons = {
  memory: () => 'takes more memory to evaluate than a mapping may have (HUB_MAPPING_MEMORY)',
  silence: ({ definition }) =>
    `takes longer to evaluate than ${String(limitsOf(definition).itemSeconds)} s (limits.itemSeconds)`,
  late: ({ definition }) =>
    `takes longer to evaluate than ${String(limitsOf(definition).seconds)} s (limits.seconds)`,
  crash: () => 'ends the process that evaluates it',
  size: () =>
    `becomes more than ${String(charactersPerByte)} times what a body may have (HUB_PUSH_BODY_LIMIT)`,
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
