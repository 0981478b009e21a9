import { writeConditions } from '../../query/expression/station-conditions.ts'
import type { NamedColumn } from '../frame/dataset-view.svelte.ts'
import type { Dataset, DatasetQuery } from '../query/index.ts'

/**
 * A group in the hub's response, by path and aggregate. The path may be missing in the group of
 * records without a value.
 */
export type Group = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A field to group by; `*` in its path stands for the language. */
export type GroupMember = {
  readonly path: string
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean'
}

const functions = ['min', 'avg', 'max', 'sum'] as const

/** Returns the aggregates of the numbers at a path, in the spelling of the hub. */
export function aggregatesOf(path: string) {
  return functions.map((name) => ({ name, written: `${name}(${path})` }))
}

/** Returns the fields with a single value per record. Those of the default columns come first. */
export function groupMembers(all: readonly NamedColumn[]): readonly GroupMember[] {
  const rank = ({ place }: NamedColumn) => place ?? Number.MAX_SAFE_INTEGER
  const ranked = all.toSorted((one, other) => rank(one) - rank(other))
  return ranked.flatMap(({ path, name, kind, isList, isTitle, takesToken }) => {
    const isPlain = kind === 'text' || kind === 'number' || kind === 'boolean'
    const isOne = isPlain && !isList && !isTitle && !takesToken && !/[@[{]/.test(path)
    return isOne ? [{ path, name, kind }] : []
  })
}

/** Inserts the language into a path. */
export function inLanguage(path: string, language: string): string {
  return path.replace('.*', `.${language}`)
}

type Shown = {
  readonly dataset: Dataset
  /** Fields of the groups; `paths` are the same fields as requested, with their language. */
  readonly chosen: readonly GroupMember[]
  readonly paths: readonly string[]
  readonly query: DatasetQuery
}

/**
 * Returns the filter expression that also selects the records of a group. It is undefined if no
 * condition can match them: a JSON null of a station is not missing, but equals nothing.
 */
export function narrowTo(
  group: Group,
  { dataset, chosen, paths, query }: Shown,
): Pick<DatasetQuery, 'expression'> | undefined {
  const isContent = dataset.service === 'content'
  if (!isContent && paths.some((path) => group[path] === null)) return undefined
  const of = paths.map((path, place) => {
    const value = group[path] ?? undefined
    const kind = chosen[place]?.kind ?? 'text'
    return value === undefined
      ? ({ path, kind, comparison: 'missing', values: [] } as const)
      : ({ path, kind, comparison: 'is', values: [String(value)] } as const)
  })
  const own = writeConditions(isContent ? 'rawfilter' : 'where', { join: 'and', of })
  return { expression: query.expression === '' ? own : `and(${query.expression},${own})` }
}
