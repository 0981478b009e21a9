import type { Timeline } from './timeline.ts'

/** Buckets of one width, one after the other; moments and widths in milliseconds. */
export type Piece = {
  /** Where the first of them begins, perhaps before `from`. */
  readonly origin: number
  readonly width: number
  /** What is read of them. */
  readonly from: number
  readonly until: number
}

/** Some buckets that follow each other. */
export type BucketWindow = {
  readonly pieces: readonly Piece[]
  readonly count: number
  /** Whether the range ends with it. */
  readonly isLast: boolean
}

/**
 * Takes the next buckets of a range, so many at most, those that end before a moment passed over;
 * undefined at its end.
 */
type TakeBuckets = (count: number, moment?: number) => BucketWindow | undefined

/** Pieces of a window at most: each is a branch of its statement. */
const mostPieces = 60

/** The first moment that PostgreSQL prints without an era. */
const firstMoment = Date.parse('0001-01-01T00:00:00Z')

/** @param range epoch milliseconds */
export function bucketWindows(
  { beginningOf, after }: Timeline,
  range: { readonly from: number; readonly to: number },
): TakeBuckets {
  let origin = Math.max(firstMoment, beginningOf(range.from))
  return (count, moment = range.from) => {
    if (moment > origin) origin = Math.max(origin, beginningOf(moment))
    if (origin >= range.to || range.from === range.to) return undefined
    const pieces: Piece[] = []
    let taken = 0
    while (taken < count && origin < range.to) {
      const until = after(origin)
      const width = until - origin
      const last = pieces.at(-1)
      const goesOn = last?.width === width && last.until === origin
      if (!goesOn && pieces.length === mostPieces) break
      const piece = goesOn ? last : { origin, width, from: Math.max(origin, range.from), until }
      pieces.splice(goesOn ? -1 : pieces.length, 1, { ...piece, until: Math.min(until, range.to) })
      origin = until
      taken++
    }
    return { pieces, count: taken, isLast: origin >= range.to }
  }
}
