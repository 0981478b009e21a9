import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import type { tryOperation } from '../../../../src/push/mapping-routes.ts'
import type { mappingOperations } from '../../../../src/push/mapping-schemas.ts'
import { readJson, writeJson } from '../../api/index.ts'
import { loadMessages, loadOriginal, loadOverview } from '../streams/load-streams.ts'
import type { Made } from './made.ts'

/** Input of the playground: a mapping with its files, and a payload. */
export type Draft = {
  readonly mapping: string
  readonly files: Readonly<Record<string, string>>
  readonly payload: string
  readonly contentType?: string
}

/** The hub's result for a draft. */
export type Outcome = Omit<AnswerOf<typeof tryOperation>, 'objects'> & {
  readonly objects: readonly Made[]
}

export type Fault = Outcome['faults'][number]

export const tryRequest = { path: '/mappings/try' } as const

/** @throws RequestFailure */
export function tryDraft(draft: Draft): Promise<Outcome> {
  return writeJson<Outcome>({ method: 'POST', ...tryRequest, body: draft })
}

/** Returns the mapping that the editor starts with. */
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

/**
 * Loads the newest messages of a stream that the caller's own client sent. Returns an empty list
 * for streams that the caller may not read, for which the hub responds 404.
 */
export async function loadOwnMessages(stream: string, signal: AbortSignal) {
  const { streams } = await loadOverview(signal)
  if (!streams.some((one) => one.stream === stream)) return []
  const { messages } = await loadMessages({ path: `/push/${stream}` }, signal)
  return messages.filter(({ isOwn }) => isOwn)
}

/**
 * Loads the text of a stored message.
 * @throws RequestFailure
 */
export async function loadPayload(stream: string, id: string): Promise<string> {
  return (await loadOriginal(`/push/${stream}`, id)).text()
}

/** JSON Schema of a mapping (`GET /mappings/schema`). */
export type MappingSchema = {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}

export function loadSchema(signal: AbortSignal): Promise<MappingSchema> {
  return readJson<MappingSchema>('/mappings/schema', {}, signal)
}

/** The stored mapping of a stream, with its versions. */
export type StoredMapping = AnswerOf<typeof mappingOperations.show>

export function loadStored(stream: string, signal: AbortSignal): Promise<StoredMapping> {
  return readJson<StoredMapping>(`/mappings/${stream}`, {}, signal)
}

/** Result of a save for each sample. If `number` is null, nothing was saved. */
export type Checked = AnswerOf<typeof mappingOperations.save>

/**
 * Saves a mapping with the payload as its sample, or with `look` only previews the effect.
 * @throws RequestFailure
 */
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

/**
 * Saves an earlier version as the newest one.
 * @throws RequestFailure
 */
export function restoreVersion(stream: string, number: number): Promise<Checked> {
  return writeJson<Checked>({
    ...{ method: 'POST', path: `/mappings/${stream}/versions/${String(number)}/restore` },
  })
}
