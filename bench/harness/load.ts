/** Requests for `path`, followed by a number that is drawn anew for each, followed by `suffix`. */
export type Requests = {
  readonly url: string
  readonly path: string
  readonly low: number
  readonly high: number
  readonly suffix?: string
  /** Sent as `If-None-Match`; every response must then be 304. */
  readonly etag?: string
  /** Bearer tokens, used in turn. */
  readonly tokens?: readonly string[]
  /** Duration of the load, for responses so slow that the default would see too few of them. */
  readonly seconds?: number
  /**
   * Connections of the load generator, for responses so large that the default number would only
   * form a queue.
   */
  readonly connections?: number
}

/** The result of a load generator. Its bytes include headers. */
export type Load = {
  readonly answersPerSecond: number
  readonly bytesPerAnswer: number
  readonly failed: number
}
