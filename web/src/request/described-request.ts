import { addressOf } from '../api/query.ts'
import type { Query } from '../api/query.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that a view makes, as others can make it. */
export type DescribedRequest = {
  readonly path: string
  readonly query?: Query
  /** GET is not said. */
  readonly method?: Method
  /** Sent as JSON. */
  readonly body?: unknown
  /** The media type of the body, where it is not plain JSON. */
  readonly contentType?: string
  readonly ifMatch?: string
  /** The media type that is requested, where it is not JSON. */
  readonly accept?: string
  /** Whether it needs a token, which is then written as a variable and never shown. */
  readonly token?: 'needed' | 'none'
}

/** The whole address, to be copied. */
export function absoluteAddress({ path, query }: DescribedRequest, publicUrl: string): string {
  return `${publicUrl}${addressOf(path, query)}`
}

/** The headers that it needs beside those that every client sends by itself. */
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

/** Stands where the token goes; each language puts its variable there. */
export const bearer = 'Bearer $TOKEN'
