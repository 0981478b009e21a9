/** Requests for `path`, then a number drawn anew for each, then `suffix`. */
export type Requests = {
  readonly url: string
  readonly path: string
  readonly low: number
  readonly high: number
  readonly suffix?: string
  /** Sent as `If-None-Match`; then every answer has to be 304. */
  readonly etag?: string
  /** Bearer tokens, each request with the next one. */
  readonly tokens?: readonly string[]
  /** Where answers take so long that the usual time would see too few of them. */
  readonly seconds?: number
  /** Of the load generator, where answers are so large that the usual number would be one queue. */
  readonly connections?: number
}

/** What a load generator saw. Its bytes count headers. */
export type Load = {
  readonly answersPerSecond: number
  readonly bytesPerAnswer: number
  readonly failed: number
}
