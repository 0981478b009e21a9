import { parseWeights } from './weights.ts'
import type { Weighted } from './weights.ts'

/** A part of an `Accept` header, such as `text/*;q=0.5` (RFC 9110 section 12.5.1). */
type MediaRange = { readonly type: string; readonly subtype: string; readonly quality: number }

/**
 * The offered media type that `Accept` wants most. Of equally wanted ones the one that is named, then
 * the one that is named first, then the one that is offered first.
 * @returns undefined when nothing that is offered is acceptable
 */
export function preferredType(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = parseWeights(accept).flatMap(toRange)
  const wanted = offered.flatMap((mediaType, offer) => {
    const place = bestMatch(ranges, mediaType)
    const range = place === undefined ? undefined : ranges[place]
    if (place === undefined || range === undefined || range.quality === 0) return []
    return [{ mediaType, rank: [-range.quality, -specificity(range), place, offer] as const }]
  })
  return wanted.sort((left, right) => compareRanks(left.rank, right.rank))[0]?.mediaType
}

function toRange({ name, weight }: Weighted): readonly MediaRange[] {
  const [type = '', subtype = ''] = name.split('/')
  return type === '' || subtype === '' ? [] : [{ type, subtype, quality: weight }]
}

/** Where the most specific range stands that the type falls under: its quality is the one that counts. */
function bestMatch(ranges: readonly MediaRange[], mediaType: string): number | undefined {
  const [type, subtype] = mediaType.split('/')
  let best: number | undefined
  ranges.forEach((range, place) => {
    const isMatch =
      (range.type === '*' || range.type === type) &&
      (range.subtype === '*' || range.subtype === subtype)
    const known = best === undefined ? undefined : ranges[best]
    if (isMatch && (known === undefined || specificity(range) > specificity(known))) best = place
  })
  return best
}

function specificity({ type, subtype }: MediaRange): number {
  if (type === '*') return 0
  return subtype === '*' ? 1 : 2
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  const place = left.findIndex((value, index) => value !== right[index])
  return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0)
}
