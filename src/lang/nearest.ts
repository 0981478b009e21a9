/** Returns the Levenshtein distance, or more than `limit` as soon as it must exceed `limit`. */
function distance(left: string, right: string, limit: number): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    if (Math.min(...next) > limit) return limit + 1
    row = next
  }
  return row[right.length] ?? 0
}

/**
 * Returns the candidate that the writer most likely meant, for "Did you mean …". Case is ignored. A
 * candidate with more than a third of the letters wrong does not count.
 */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const wanted = written.slice(0, 100).toLowerCase()
  let best: string | undefined
  let smallest = Math.max(1, Math.floor(wanted.length / 3))
  for (const candidate of candidates) {
    const found = distance(wanted, candidate.toLowerCase(), smallest)
    if (found < smallest || (found === smallest && best === undefined)) {
      smallest = found
      best = candidate
    }
  }
  return best
}

/** Returns `did you mean X?`, or `known` if nothing is similar. */
export function suggest(written: string, candidates: Iterable<string>, known: string): string {
  const meant = nearest(written, candidates)
  return meant === undefined ? known : `did you mean ${meant}?`
}

/** Returns "Did you mean …" as a hint, or no hint. */
export function hintAt(written: string, candidates: Iterable<string>): { readonly hint?: string } {
  const meant = nearest(written, candidates)
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` }
}
