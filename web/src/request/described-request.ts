import { addressOf } from '../api/query.ts'
import type { Query } from '../api/query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of a view in a form that can be shown and reproduced. */
export type DescribedRequest = {
  readonly path: string
  readonly query?: Query
  /** Omitted for GET. */
  readonly method?: Method
  /** Sent as JSON. */
  readonly body?: unknown
  /** Media type of the body, if it is not plain JSON. */
  readonly contentType?: string
  readonly ifMatch?: string
  /** Requested media type, if it is not JSON. */
  readonly accept?: string
  /** Whether the request needs a token. It is shown as a variable, never by its value. */
  readonly token?: 'needed' | 'none'
}

/** Returns the absolute URL of a request. */
export function absoluteAddress({ path, query }: DescribedRequest, publicUrl: string): string {
  return `${publicUrl}${addressOf(path, query)}`
}

/** Returns the headers that a request needs in addition to those that every client sends. */
export function headersOf({
  accept,
  body,
  contentType = 'application/json',
  ifMatch,
  token,
}: DescribedRequest): readonly Header[] {
  return [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ...(body === undefined ? [] : [['Content-Type', contentType] as const]),
    ...(ifMatch === undefined ? [] : [['If-Match', ifMatch] as const]),
    ...(token === 'needed' ? [['Authorization', bearer] as const] : []),
  ]
}

export type Header = readonly [name: string, value: string]

/** Placeholder for the token; each language replaces it with its own variable. */
export const bearer = 'Bearer $TOKEN'
