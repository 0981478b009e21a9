import { writeConditions } from '../../query/expression/station-conditions.ts'
import type { NamedColumn } from '../frame/dataset-view.svelte.ts'
import type { Dataset, DatasetQuery } from '../query/index.ts'

/** A group as the hub answers: by path and aggregate. A group of records without a value may lack the path. */
export type Group = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A member that groups can be of; `*` in its path is the language. */
export type GroupMember = {
  readonly path: string
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean'
}

const functions = ['min', 'avg', 'max', 'sum'] as const

/** What is computed of the numbers at a path, as the hub names it. */
export function aggregatesOf(path: string) {
  return functions.map((name) => ({ name, written: `${name}(${path})` }))
}

/** The members with one value for each record; those that the hub shows at first come first. */
export function groupMembers(all: readonly NamedColumn[]): readonly GroupMember[] {
  const rank = ({ place }: NamedColumn) => place ?? Number.MAX_SAFE_INTEGER
  const ranked = all.toSorted((one, other) => rank(one) - rank(other))
  return ranked.flatMap(({ path, name, kind, isList, isTitle, takesToken }) => {
    const isPlain = kind === 'text' || kind === 'number' || kind === 'boolean'
    const isOne = isPlain && !isList && !isTitle && !takesToken && !/[@[{]/.test(path)
    return isOne ? [{ path, name, kind }] : []
  })
}

/** A path with its language. */
export function inLanguage(path: string, language: string): string {
  return path.replace('.*', `.${language}`)
}

type Shown = {
  readonly dataset: Dataset
  /** What the groups are of, and the path of each as it was requested. */
  readonly chosen: readonly GroupMember[]
  readonly paths: readonly string[]
  readonly query: DatasetQuery
}

/**
 * The query that leaves the records of a group, beside what it leaves already; undefined where no condition finds
 * them: of stations a value of JSON that is null is there, and equals nothing.
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
