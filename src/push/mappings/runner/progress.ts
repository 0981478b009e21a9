import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Rejection } from '../../rejection.ts'
import { weightOf, weightOfOne } from '../evaluate/slice.ts'
import type { Slice } from '../evaluate/slice.ts'
import type { SourceRejection } from '../faults.ts'

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
export function note(rejected: readonly SourceRejection[], progress: Progress): void {
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
