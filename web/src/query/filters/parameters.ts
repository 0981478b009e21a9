import type { Parameter, Values } from '../../api/index.ts'
import type { Dataset, DatasetQuery } from '../../dataset/query/index.ts'

/** What all parts of the filters are about. */
export type Filtering = {
  readonly dataset: Dataset
  readonly query: DatasetQuery
  /** What can be chosen of; undefined until it is known. */
  readonly values: Values | undefined
  /** How many records match. */
  readonly found: number | undefined
  readonly onchange: (changed: Partial<DatasetQuery>) => void
}

/** Something that can be chosen by a parameter. */
export type Option = {
  readonly id: string
  /** As records have it. */
  readonly code: string
  readonly title: Readonly<Partial<Record<string, string>>>
}

/** What is chosen: the set bits of a sum, or identifiers with commas. */
export function chosenBy(
  { kind }: Pick<Parameter, 'kind'>,
  value: string,
  options: readonly Option[],
): readonly string[] {
  if (kind !== 'bits') return value === '' ? [] : [...new Set(value.split(','))]
  const sum = Number(value)
  return options.map(({ id }) => id).filter((bit) => Math.floor(sum / Number(bit)) % 2 === 1)
}

/** The value of the parameter for what is chosen; empty for nothing. */
export function valueFor({ kind }: Pick<Parameter, 'kind'>, chosen: readonly string[]): string {
  if (kind !== 'bits' || chosen.length === 0) return chosen.join(',')
  return String(chosen.reduce((sum, bit) => sum + Number(bit), 0))
}
