import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import type { tryOperation } from '../../../../src/push/mapping-routes.ts'
import type { mappingOperations } from '../../../../src/push/mapping-schemas.ts'
import { readJson, writeJson } from '../../api/index.ts'
import { loadMessages, loadOriginal, loadOverview } from '../streams/load-streams.ts'
import type { Made } from './made.ts'

/** What somebody tries: a mapping with the files beside it, and a payload. */
export type Draft = {
  readonly mapping: string
  readonly files: Readonly<Record<string, string>>
  readonly payload: string
  readonly contentType?: string
}

/** What the hub makes of a draft. */
export type Outcome = Omit<AnswerOf<typeof tryOperation>, 'objects'> & {
  readonly objects: readonly Made[]
}

export type Fault = Outcome['faults'][number]

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

/** The newest messages of a stream that the caller sent and may read; for streams of others the hub has 404. */
export async function loadOwnMessages(stream: string, signal: AbortSignal) {
  const { streams } = await loadOverview(signal)
  if (!streams.some((one) => one.stream === stream)) return []
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

/** The stored mapping of a stream, and its versions. */
export type StoredMapping = AnswerOf<typeof mappingOperations.show>

export function loadStored(stream: string, signal: AbortSignal): Promise<StoredMapping> {
  return readJson<StoredMapping>(`/mappings/${stream}`, {}, signal)
}

/** What a save made of the samples; without a number nothing was saved. */
export type Checked = AnswerOf<typeof mappingOperations.save>

/** Saves a mapping with the payload as its sample, or only looks at what that would do. @throws RequestFailure */
export function saveMapping(
  stream: string,
  { mapping, files, payload }: Draft,
  aim: 'look' | 'save',
): Promise<Checked> {
  return writeJson<Checked>({
    ...{ method: 'PUT', path: `/mappings/${stream}` },
    query: aim === 'look' ? { dryrun: 'true' } : {},
    body: { mapping, files, samples: [{ name: 'payload', payload }] },
  })
}

/** Saves a former version as the newest one. @throws RequestFailure */
export function restoreVersion(stream: string, number: number): Promise<Checked> {
  return writeJson<Checked>({
    ...{ method: 'POST', path: `/mappings/${stream}/versions/${String(number)}/restore` },
  })
}
