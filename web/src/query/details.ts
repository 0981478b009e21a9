import { readJson } from '../api/index.ts'
import type { Dataset } from '../dataset/query/index.ts'

/** A member of the records of a dataset, as the hub describes it. */
export type Member = {
  readonly path: string
  readonly type:
    'text' | 'number' | 'boolean' | 'time' | 'object' | 'json' | 'value' | 'place' | 'any'
  readonly description: string | null
  readonly isList: boolean
  readonly canFilter: boolean
  readonly canSort: boolean
  readonly takesToken: boolean
  /** Of `where`; of `rawfilter` all members have the same. */
  readonly operators: readonly string[]
  readonly at: 'records' | 'stations' | 'values' | 'edges'
  readonly deprecated: {
    readonly since: string
    readonly removedAfter: string
    readonly description: string
    readonly replacement: string | null
  } | null
}

export type Members = {
  readonly language: 'rawfilter' | 'where'
  readonly operators: readonly string[]
  readonly members: readonly Member[]
}

/** A value in use, and how many records have it. */
export type Counted = { readonly id: string; readonly count: number }

export type Values = {
  readonly tags: readonly (Counted & { readonly title: Readonly<Record<string, string>> })[]
  readonly languages: readonly Counted[]
  readonly sources: readonly Counted[]
  readonly licences: readonly Counted[]
  readonly dataTypes: readonly (Counted & {
    readonly unit: string | null
    readonly description: string | null
  })[]
}

/** Where the values in use are not known. */
export const noValues: Values = {
  tags: [],
  languages: [],
  sources: [],
  licences: [],
  dataTypes: [],
}

const pathOf = ({ service, type }: Dataset) => `/catalogue/${service}/${encodeURIComponent(type)}`

/** @throws RequestFailure */
export function loadMembers(dataset: Dataset, signal: AbortSignal): Promise<Members> {
  return readJson<Members>(`${pathOf(dataset)}/members`, {}, signal)
}

/** @throws RequestFailure */
export function loadValues(dataset: Dataset, signal: AbortSignal): Promise<Values> {
  return readJson<Values>(`${pathOf(dataset)}/values`, {}, signal)
}

/** What the hub says of an expression: where it is wrong, or what is perhaps not meant. */
export type Issue = {
  readonly detail: string
  /** Zero-based offset in the text. */
  readonly position?: number
  readonly expected?: readonly string[]
  readonly hint?: string
}

export type Check = {
  readonly parameter: string
  readonly valid: boolean
  /** As the hub understood it. */
  readonly canonical: string | null
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
}

type Wanted = {
  readonly parameter: string
  readonly written: string
  readonly at: 'stations' | 'values'
}

/**
 * Has the hub read an expression, without running it.
 * @throws RequestFailure
 */
export async function checkExpression(
  dataset: Dataset,
  { parameter, written, at }: Wanted,
  signal: AbortSignal,
): Promise<Check | undefined> {
  const query = { [parameter]: written, ...(dataset.service === 'content' ? {} : { at }) }
  const path = `${pathOf(dataset)}/check`
  const { checks } = await readJson<{ readonly checks: readonly Check[] }>(path, query, signal)
  return checks.find((check) => check.parameter === parameter)
}
