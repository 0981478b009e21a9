/** Possible outcomes of a request during a soak. */
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
  /** The value of the header field; undefined if the field is missing. */
  readonly retryAfter: string | undefined
  readonly authenticate: string | undefined
  /** Whether the request carried a token. */
  readonly bore: 'token' | 'nothing'
}

/**
 * Judges whether clients can handle a response: a success, a 503 with a time to retry after, or a
 * 401 that reports the token as no longer valid.
 */
export function judge({ status, retryAfter, authenticate, bore }: Answer): Outcome {
  if (status >= 200 && status < 400) return 'answered'
  if (status === 503 && /^\d+$/.test(retryAfter ?? '')) return 'honest refusal'
  const isWorthless = authenticate?.includes('invalid_token') === true
  if (status === 401 && bore === 'token' && isWorthless) return 'renewed token'
  return 'failed'
}

/** Ratio above which a median counts as growth; the garbage collector alone stays below it. */
const share = 1.25

export type Growth = {
  readonly before: number
  readonly after: number
  readonly isBounded: boolean
}

/** Minimum number of samples for a verdict. */
const fewest = 4

/**
 * Reports whether something grew without bound. Compares the last quarter of the samples with the
 * second one; the first quarter is warm-up. Too few samples count as growth, because nothing is
 * known.
 * @param slack growth that is insignificant, in the unit of the samples
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
