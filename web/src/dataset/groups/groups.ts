import { writeConditions } from '../../query/expression/station-conditions.ts'
import type { NamedColumn } from '../frame/dataset-view.svelte.ts'
import type { Dataset, DatasetQuery } from '../query/index.ts'

/** A group as the hub answers: by path and aggregate. A group of records without a value may lack the path. */
export type Group = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A member that groups can be of, in one language. */
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
export function groupMembers(
  all: readonly NamedColumn[],
  language: string,
): readonly GroupMember[] {
  const rank = ({ place }: NamedColumn) => place ?? Infinity
  const ranked = all.toSorted((one, other) =>
    rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0,
  )
  return ranked.flatMap(({ path, name, kind, isList, isTitle, takesToken }) => {
    const isPlain = kind === 'text' || kind === 'number' || kind === 'boolean'
    if (!isPlain || isList || isTitle || takesToken || /[@[{]/.test(path)) return []
    return [{ path: path.replace('.*', `.${language}`), name, kind }]
  })
}

/** Those whose numbers can be added and compared. */
export function numberMembers(all: readonly NamedColumn[]): readonly GroupMember[] {
  return groupMembers(all, '').filter(({ kind, path }) => kind === 'number' && !path.endsWith('.'))
}

type Chosen = {
  readonly dataset: Dataset
  readonly members: readonly GroupMember[]
  readonly query: DatasetQuery
}

/** The query that leaves the records of a group, beside what it leaves already. */
export function narrowTo(
  group: Group,
  by: readonly string[],
  { dataset, members, query }: Chosen,
): Pick<DatasetQuery, 'expression'> {
  const language = dataset.service === 'content' ? 'rawfilter' : 'where'
  const of = by.map((path) => {
    const value = group[path] ?? undefined
    const kind = members.find((one) => one.path === path)?.kind ?? 'text'
    return value === undefined
      ? ({ path, kind, comparison: 'missing', values: [] } as const)
      : ({ path, kind, comparison: 'is', values: [String(value)] } as const)
  })
  const own = writeConditions(language, { join: 'and', of })
  return { expression: query.expression === '' ? own : `and(${query.expression},${own})` }
}
