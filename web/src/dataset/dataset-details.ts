import { pathOfLink, readJson } from '../api/index.ts'
import type { Dataset } from './query/index.ts'

/** What the catalogue says of a dataset. */
export type DatasetEntry = {
  readonly id: string
  readonly title: Texts
  readonly description: Texts
  /** Null where the list takes a token. */
  readonly count: number | null
  readonly updated: string | null
  readonly access: 'open' | 'partly' | 'closed'
  readonly licences: readonly string[]
  readonly languages: readonly string[]
  readonly dataTypes: readonly { readonly id: string; readonly count: number }[]
  readonly formats: readonly Format[]
  readonly links: { readonly list: string }
}

export type Format = { readonly name: string; readonly mediaType: string }

type Texts = Readonly<Partial<Record<string, string>>>

/** A member of the records, as the API names it. */
export type Member = {
  readonly path: string
  readonly type:
    'text' | 'number' | 'boolean' | 'time' | 'object' | 'json' | 'value' | 'place' | 'any'
  readonly description: string | null
  readonly isList: boolean
  readonly canSort: boolean
  readonly takesToken: boolean
  readonly at: 'records' | 'stations' | 'values' | 'edges'
  readonly deprecated: Deprecation | null
}

export type Deprecation = {
  readonly since: string
  readonly removedAfter: string
  readonly description: string
  readonly replacement: string | null
}

export type DatasetDetails = {
  readonly entry: DatasetEntry
  readonly members: readonly Member[]
}

/** Reads what a view of a dataset has to know before it asks for records. */
export async function loadDetails(
  { service, type }: Pick<Dataset, 'service' | 'type'>,
  signal: AbortSignal,
): Promise<DatasetDetails & { readonly dataset: Dataset }> {
  const path = `/catalogue/${service}/${encodeURIComponent(type)}`
  const [entry, { members }] = await Promise.all([
    readJson<DatasetEntry>(path, {}, signal),
    readJson<{ readonly members: readonly Member[] }>(`${path}/members`, {}, signal),
  ])
  const list = pathOfLink(entry.links.list) ?? ''
  return { dataset: { service, type, list }, entry, members }
}

/** The text in a language, or in one that there is. */
export function textIn(texts: Texts, language: string): string | undefined {
  return texts[language] ?? texts['en'] ?? texts['de'] ?? Object.values(texts)[0]
}
