import type { PlainRequest } from './plain-request.ts'

/** An answer that needs nothing of the framework. */
export type EarlyAnswer = {
  readonly status: 200 | 304
  /** Beside those that every answer has. `content-length` is worked out from the body. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/**
 * Says what is to be answered now, to the same request each time that it comes. Where nothing is known
 * at once it promises it; undefined, and a promise that fails, leave the request to the framework. The
 * same object means the same answer, which then need not be written out again.
 */
export type AnswerEarly = () => EarlyAnswer | undefined | Promise<EarlyAnswer | undefined>

/** A request for a route, with the values of the route's parameters. */
export type RoutedRequest = PlainRequest & { readonly params: Readonly<Record<string, string>> }

/** Undefined for a request that the framework has to answer. */
export type FindEarly = (request: RoutedRequest) => AnswerEarly | undefined

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Answers plain GETs of this route ahead of the framework, just as its handler would. No hook runs
     * for them: not for a route whose answers depend on the caller, or that counts against a quota.
     */
    early?: FindEarly
  }
}

/** An answer that was given, for metrics and log. */
export type Answered = {
  readonly requestId: string
  readonly method: string
  /** Pattern of the route. */
  readonly route: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
  /** Of the other end of the connection. */
  readonly address?: string | undefined
}
