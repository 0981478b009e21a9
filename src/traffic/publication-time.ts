import { boundariesOf, instantOf, phaseAt } from './lifetime.ts'
import type { Candidate } from './situation.ts'

/**
 * The newest change of what is published, from the events alone: the writing of an event that was not
 * gone when it was written, or the passing of a start, end or leaving since.
 */
export function newestChange(candidates: readonly Candidate[], now: Date): Date {
  let newest = 0
  for (const { event, lifetime } of candidates) {
    const recorded = instantOf(event.recorded) ?? 0
    if (phaseAt(lifetime, recorded) === 'gone') continue
    if (recorded > newest) newest = recorded
    for (const boundary of boundariesOf(lifetime)) {
      if (boundary <= now.getTime() && boundary > newest) newest = boundary
    }
  }
  return new Date(newest)
}

/** The next instant after `now` at which a phase of a published or coming situation changes. */
export function nextBoundary(candidates: readonly Candidate[], now: Date): Date | undefined {
  let next = Infinity
  for (const { lifetime } of candidates) {
    for (const boundary of boundariesOf(lifetime)) {
      if (boundary > now.getTime() && boundary < next) next = boundary
    }
  }
  return next === Infinity ? undefined : new Date(next)
}

type Succession = {
  readonly now: Date
  readonly before: { readonly publicationTime: Date }
  /** Whether the content is that of the document before. */
  readonly isSame: boolean
}

/**
 * The time of a document that follows another one: the same while the content is the same, later when
 * it is not (decision D55). The newest change may lie before the last document, where an event left
 * that document or was received before another one and stored after it; then now is the time.
 */
export function toPublicationTime(newest: Date, { now, before, isSame }: Succession): Date {
  const { publicationTime } = before
  if (isSame) return publicationTime
  if (newest > publicationTime) return newest
  return now > publicationTime ? now : new Date(publicationTime.getTime() + 1)
}
