/** Requests for `path` followed by a number, drawn anew for each. */
export type Requests = {
  readonly url: string
  readonly path: string
  readonly low: number
  readonly high: number
}

/** What a load generator saw. Its bytes count headers. */
export type Load = {
  readonly answersPerSecond: number
  readonly bytesPerAnswer: number
  readonly failed: number
}
