import type { MappedMessage } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import type { LoadedMapping } from './definition/loaded-mapping.ts'
import { limitsOf } from './evaluate/compile-mapping.ts'
import type { Occasion } from './evaluate/evaluate-message.ts'
import { attempt } from './runner/attempt.ts'
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
   * @throws Error when there is no mapping, or its process cannot be started
   */
  readonly map: (message: MappedMessage) => Promise<Mapped>
  readonly close: () => Promise<void>
}

/** So many items of a message may end the process, or keep it too long; then the rest is rejected. */
const mostEndings = 3

/** The process is started by the first message, and again after it ended. */
export function createMapper(options: ProcessOptions): Mapper {
  const byStream = new Map(options.mappings.map((mapping) => [mapping.stream, mapping]))
  let running: MappingProcess | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const start = () => {
    if (isClosed) throw new Error('The mapping process is closed')
    if (running?.isAlive() !== true) running = startMappingProcess(options)
    return running
  }
  return {
    of: (stream) => byStream.get(stream),
    map: async (message) => {
      const mapping = byStream.get(message.stream)
      if (mapping === undefined) throw new Error(`There is no mapping for ${message.stream}`)
      // One at a time: the process has one thread, and the time of a message begins with its turn.
      const mapped = turn.then(() => mapMessage(start, mapping, message))
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
  start: () => MappingProcess,
  mapping: LoadedMapping,
  message: MappedMessage,
): Promise<Mapped> {
  const { seconds, itemSeconds } = limitsOf(mapping.definition)
  const deadline = AbortSignal.timeout(seconds * 1000 + grace)
  const { body } = message
  const progress: Progress = { next: 0, total: undefined, objects: [], rejected: [] }
  let [endings, isCareful] = [0, false]
  const occasion = occasionOf(message)
  for (;;) {
    const work = { body, occasion, from: progress.next, isCareful }
    const task = { mapping: mapping.name, work, deadline, patience: itemSeconds * 1000 + grace }
    const end = await attempt(start(), task, progress)
    if (end === 'done') break
    if (progress.total === undefined || end === 'late') {
      progress.rejected.push(refuseRest(progress, reasons[end](mapping)))
      break
    }
    if (!isCareful) {
      isCareful = true
      continue
    }
    const reason = reasons[end](mapping)
    progress.rejected.push({ index: progress.next, reason })
    progress.next += 1
    endings += 1
    isCareful = false
    if (progress.next >= progress.total) break
    if (endings < mostEndings) continue
    progress.rejected.push(refuseRest(progress, 'too many items could not be evaluated at all'))
    break
  }
  return { mapping, objects: progress.objects, rejected: progress.rejected }
}

/** Milliseconds beyond the limits of a mapping before it is ended by force. */
const grace = 1000

type Reasons = Readonly<Record<Ending, (mapping: LoadedMapping) => string>>

const reasons: Reasons = {
  memory: () => 'takes more memory to evaluate than a mapping may have (HUB_MAPPING_MEMORY)',
  silence: ({ definition }) =>
    `takes longer to evaluate than ${String(limitsOf(definition).itemSeconds)} s (limits.itemSeconds)`,
  late: ({ definition }) =>
    `takes longer to evaluate than ${String(limitsOf(definition).seconds)} s (limits.seconds)`,
  crash: () => 'ends the process that evaluates it',
  closed: () => 'was not evaluated: the hub is stopping',
}

function refuseRest({ next, total }: Progress, reason: string): Rejection {
  if (total === undefined || next === 0) return { index: null, reason: `the message ${reason}` }
  return {
    index: null,
    reason: `items ${String(next)} to ${String(total - 1)}: the message ${reason}`,
  }
}

function occasionOf({ stream, received, contentType }: MappedMessage): Occasion {
  const [provider = '', dataset = ''] = stream.split('/')
  return { stream, provider, dataset, received: received.toISOString(), contentType }
}
