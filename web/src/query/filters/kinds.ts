import { readJson } from '../../api/index.ts'
import type { Dataset } from '../../dataset/query/index.ts'
import { namedParameters } from './named-parameters.ts'

/** An entry of a list of types, such as `/v1/AccommodationTypes`. */
export type Kind = {
  readonly Id: string
  readonly Bitmask?: number
  readonly Type?: string
  readonly TypeDesc?: Readonly<Record<string, string>>
}

/** The entries of the lists of types that the parameters of a dataset need, by the list. */
export type Kinds = ReadonlyMap<string, readonly Kind[]>

const most = 200

/** @throws RequestFailure */
export async function loadKinds(dataset: Dataset, signal: AbortSignal): Promise<Kinds> {
  const lists = new Set(
    namedParameters(dataset).flatMap((one) => ('list' in one ? [one.list] : [])),
  )
  const loaded = await Promise.all(
    [...lists].map(async (list) => {
      const path = `/v1/${list}`
      const { Items } = await readJson<{ readonly Items: readonly Kind[] }>(
        path,
        { pagesize: most },
        signal,
      )
      return [list, Items] as const
    }),
  )
  return new Map(loaded)
}

/** How an entry is called, in the language or in one that there is. */
export function titleOfKind({ Id, TypeDesc = {} }: Kind, language: string): string {
  return TypeDesc[language] ?? TypeDesc['en'] ?? TypeDesc['de'] ?? Id
}
