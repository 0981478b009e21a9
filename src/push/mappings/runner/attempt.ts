import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Rejection } from '../../rejection.ts'
import { weightOf, weightOfOne } from '../evaluate/evaluate-message.ts'
import type { Slice, Work } from '../evaluate/evaluate-message.ts'
import type { SourceRejection } from '../faults.ts'
import type { Ending, FromProcess, MappingProcess } from './mapping-process.ts'

/** What is known of a message so far; attempts add to it. */
export type Progress = {
  /** The first item that is not done. */
  next: number
  /** Items of the message; undefined until they are known. */
  total: number | undefined
  /** Characters that objects and rejections may still have, each counted with 100 more. */
  room: number
  readonly objects: { readonly source: number | null; readonly value: unknown }[]
  readonly rejected: Rejection[]
  /** Rejections that are counted and not kept. */
  unlisted: number
}

/**
 * A receipt lists 100,000 rejections: so many of items leave room for what is said of the message as a
 * whole, and for what the canonical formats refuse.
 */
const mostRejections = 99_000

/** @param room characters that the message may become */
export function beginProgress(room: number): Progress {
  return { next: 0, total: undefined, room, objects: [], rejected: [], unlisted: 0 }
}

/**
 * Adds what some items became.
 * @returns whether there was room for it; else nothing was added
 * @throws Error when it cannot be understood
 */
export function takeSlice({ next, total, objects, rejected }: Slice, progress: Progress): boolean {
  const kept = rejected.slice(0, Math.max(0, mostRejections - progress.rejected.length))
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

/** Adds rejections, and counts those that are too many to be kept. */
function note(rejected: readonly SourceRejection[], progress: Progress): void {
  for (const { source, ...why } of rejected) {
    if (progress.rejected.length < mostRejections) progress.rejected.push({ index: source, ...why })
    else progress.unlisted += 1
  }
}

/** With how many are not listed, where some are not. */
export function allRejected({ rejected, unlisted }: Progress): readonly Rejection[] {
  if (unlisted === 0) return rejected
  const reason = `${String(unlisted)} more rejections are not listed`
  return [...rejected, { index: null, reason }]
}

function readObjects(objects: string): Progress['objects'] {
  const pairs: unknown = JSON.parse(`[${objects}]`)
  if (!evaluated.Check(pairs)) throw new Error('The mapping process sent an unknown answer')
  return pairs.flatMap(([source, values]) => values.map((value) => ({ source, value })))
}

const evaluated = Compile(
  Type.Array(Type.Tuple([Type.Union([Type.Integer(), Type.Null()]), Type.Array(Type.Unknown())])),
)

/** Milliseconds by which a timer is late when the thread had something else to do. */
const busy = 100

type Watch = {
  /** There was a sign of life: the next one is expected within the patience. */
  readonly sign: () => void
  readonly end: () => void
}

/**
 * Watches for signs of life, from the first one on. A thread that was busy itself has not read what came
 * meanwhile: it reads that first, and after a long pause waits once more.
 * @param patience milliseconds between two signs
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
      // What has come is read before this is called; a sign among it calls it off.
      check = setImmediate(wasBusy ? sign : onSilence)
    }, patience)
  }
  return { sign, end }
}

type Task = {
  readonly mapping: string
  readonly work: Work
  /** Milliseconds that are left for the whole message. */
  readonly left: number
  /** Milliseconds between two signs of life, once the items are known. */
  readonly patience: number
}

let lastId = 0

/**
 * Has a process that is ready evaluate what is left of a message.
 * @returns `done`, or how the process ended; then it is gone
 * @throws Error when it fails by a fault of the hub
 */
export async function attempt(
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

/** @returns whether that was all, or too much, or why it cannot go on; undefined when there is more to come */
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

/** An error of a listener would end the thread. */
function tryTo<Result>(act: () => Result): Result | Error {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
