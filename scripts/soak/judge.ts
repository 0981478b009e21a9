/** What became of a request that was sent in the course of a soak. */
export const outcomes = [
  'answered',
  'honest refusal',
  'renewed token',
  'cut by a kill',
  'failed',
] as const

export type Outcome = (typeof outcomes)[number]

export type Answer = {
  readonly status: number
  /** As the header fields say it; undefined where they do not. */
  readonly retryAfter: string | undefined
  readonly authenticate: string | undefined
  /** Whether the request bore a token. */
  readonly bore: 'token' | 'nothing'
}

/**
 * Whether an answer is one that clients can live with: what was requested, a 503 that says when to come
 * back, or the word that the token is worth nothing any more.
 */
export function judge({ status, retryAfter, authenticate, bore }: Answer): Outcome {
  if (status >= 200 && status < 400) return 'answered'
  if (status === 503 && /^\d+$/.test(retryAfter ?? '')) return 'honest refusal'
  const isWorthless = authenticate?.includes('invalid_token') === true
  if (status === 401 && bore === 'token' && isWorthless) return 'renewed token'
  return 'failed'
}

/** More than the garbage collector leaves lying about. */
const share = 1.25

export type Growth = {
  readonly before: number
  readonly after: number
  readonly isBounded: boolean
}

/** Fewer say nothing. */
const fewest = 4

/**
 * Whether something grew without bound: the last quarter of the samples against the second one; the first
 * quarter is warming up. Without samples that is not known, and counts as growth.
 * @param slack growth that means nothing, in the unit of the samples
 */
export function growth(samples: readonly number[], slack: number): Growth {
  const quarter = Math.floor(samples.length / 4)
  const before = median(samples.slice(quarter, 2 * quarter))
  const after = median(samples.slice(samples.length - quarter))
  const isSmall = after <= before * share || after - before <= slack
  return { before, after, isBounded: samples.length >= fewest && isSmall }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
