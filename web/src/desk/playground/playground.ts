import { readJson, writeJson } from '../../api/index.ts'
import { loadMessages, loadOriginal } from '../streams/load-streams.ts'
import type { Made } from './made.ts'

/** What somebody tries: a mapping with the files beside it, and a payload. */
export type Draft = {
  readonly mapping: string
  readonly files: Readonly<Record<string, string>>
  readonly payload: string
  readonly contentType?: string
}

export type Fault = {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly reason: string
}

/** What the hub makes of a draft (`POST /mappings/try`). */
export type Outcome = {
  readonly faults: readonly Fault[]
  readonly mapping: { readonly version: string; readonly stream: string } | null
  readonly items: number
  readonly objects: readonly Made[]
  readonly rejected: readonly {
    readonly index: number | null
    readonly reason: string
    readonly pointer?: string
    readonly line?: number
    readonly kind?: string
  }[]
}

export const tryRequest = { path: '/mappings/try' } as const

/** @throws RequestFailure */
export function tryDraft(draft: Draft): Promise<Outcome> {
  return writeJson<Outcome>({ method: 'POST', ...tryRequest, body: draft })
}

/** To begin with. */
export function templateOf(stream: string): string {
  return `version: 1
stream: ${stream}
each: |
  {
    "kind": "stations", "stationType": "Example", "origin": "demo",
    "items": [{ "code": id, "name": name, "coordinate": $point(lon, lat) }]
  }
`
}

export const examplePayload = `[{"id": "bench-1", "name": "Bench at the lake", "lon": 11.26, "lat": 46.42}]`

/** The newest messages of a stream that the caller sent and may read. */
export async function loadOwnMessages(stream: string, signal: AbortSignal) {
  const { messages } = await loadMessages({ path: `/push/${stream}` }, signal)
  return messages.filter(({ isOwn }) => isOwn)
}

/** The text of a stored message. @throws RequestFailure */
export async function loadPayload(stream: string, id: string): Promise<string> {
  return (await loadOriginal(`/push/${stream}`, id)).text()
}

/** The fields of a mapping, as JSON Schema (`GET /mappings/schema`). */
export type MappingSchema = {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}

export function loadSchema(signal: AbortSignal): Promise<MappingSchema> {
  return readJson<MappingSchema>('/mappings/schema', {}, signal)
}
