import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Rejection } from '../../rejection.ts'
import type { Work } from '../evaluate/evaluate-message.ts'
import type { Slice } from '../evaluate/slice.ts'
import type { SourceRejection } from '../faults.ts'
import type { Ending, MappingProcess } from './mapping-process.ts'
import type { FromProcess } from './protocol.ts'

/** What is known of a message so far; attempts add to it. */
export type Progress = {
  /** The first item that is not done. */
  next: number
  /** Items of the message; undefined until they are known. */
  total: number | undefined
  readonly objects: { readonly source: number | null; readonly value: unknown }[]
  readonly rejected: Rejection[]
}

type Task = {
  readonly mapping: string
  readonly work: Work
  /** Aborted when the time for the whole message is over. */
  readonly deadline: AbortSignal
  /** Milliseconds between two signs of life, once the items are known. */
  readonly patience: number
}

let lastId = 0

/**
 * Has the process evaluate what is left of a message.
 * @returns `done`, or how the process ended; then it is gone
 * @throws Error when the process does not start, or fails by a fault of the hub
 */
export async function attempt(
  running: MappingProcess,
  { mapping, work, deadline, patience }: Task,
  progress: Progress,
): Promise<'done' | Ending> {
  const id = ++lastId
  const end = Promise.withResolvers<'done' | Ending>()
  let timer: NodeJS.Timeout | undefined
  const expectLife = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running.kill('silence')
    }, patience)
  }
  const onLate = () => {
    running.kill('late')
  }
  running.listen({
    onMessage: (message) => {
      if (message.kind === 'ready' || message.id !== id) return
      if (message.kind === 'slice') expectLife()
      const outcome = take(message, progress)
      if (outcome === 'done') end.resolve('done')
      else if (outcome !== undefined) end.reject(outcome)
    },
    onEnd: (ending) => {
      if (running.isReady() || ending === 'late') end.resolve(ending)
      else end.reject(new Error(`The mapping process does not start (${ending})`))
    },
  })
  deadline.addEventListener('abort', onLate)
  if (deadline.aborted) onLate()
  else running.send({ kind: 'map', id, mapping, work })
  try {
    return await end.promise
  } finally {
    clearTimeout(timer)
    deadline.removeEventListener('abort', onLate)
  }
}

/** @returns whether that was all, or why it cannot go on; undefined when there is more to come */
function take(
  message: Exclude<FromProcess, { readonly kind: 'ready' }>,
  progress: Progress,
): 'done' | Error | undefined {
  switch (message.kind) {
    case 'done':
      return 'done'
    case 'failed':
      return new Error(message.reason)
    case 'refused':
      note(message.rejected, progress)
      return 'done'
    case 'slice':
      takeSlice(message.slice, progress)
      return undefined
  }
}

function takeSlice({ next, total, objects, rejected }: Slice, progress: Progress): void {
  progress.next = next
  progress.total = total
  note(rejected, progress)
  const pairs: unknown = JSON.parse(`[${objects}]`)
  if (!evaluated.Check(pairs)) throw new Error('The mapping process sent an unknown answer')
  for (const [source, values] of pairs) {
    for (const value of values) progress.objects.push({ source, value })
  }
}

const evaluated = Compile(
  Type.Array(Type.Tuple([Type.Union([Type.Integer(), Type.Null()]), Type.Array(Type.Unknown())])),
)

function note(rejected: readonly SourceRejection[], progress: Progress): void {
  for (const { source, ...why } of rejected) progress.rejected.push({ index: source, ...why })
}
