import type { Parameter, Values } from '../../api/index.ts'
import type { Dataset, DatasetQuery } from '../../dataset/query/index.ts'

/** Input of all parts of the filters. */
export type Filtering = {
  readonly dataset: Dataset
  readonly query: DatasetQuery
  /** Values to choose from; undefined while they are loading. */
  readonly values: Values | undefined
  /** Number of matching records. */
  readonly found: number | undefined
  readonly onchange: (changed: Partial<DatasetQuery>) => void
}

/** An option of a parameter. */
export type Option = {
  readonly id: string
  /** The value as stored in records. */
  readonly code: string
  readonly title: Readonly<Partial<Record<string, string>>>
}

/**
 * Returns the selected options of a parameter value: the set bits of a number, or a comma-separated
 * list of ids.
 */
export function chosenBy(
  { kind }: Pick<Parameter, 'kind'>,
  value: string,
  options: readonly Option[],
): readonly string[] {
  if (kind !== 'bits') return value === '' ? [] : [...new Set(value.split(','))]
  const sum = Number(value)
  return options.map(({ id }) => id).filter((bit) => Math.floor(sum / Number(bit)) % 2 === 1)
}

/** Returns the parameter value for the selected options; empty if there are none. */
export function valueFor({ kind }: Pick<Parameter, 'kind'>, chosen: readonly string[]): string {
  if (kind !== 'bits' || chosen.length === 0) return chosen.join(',')
  return String(chosen.reduce((sum, bit) => sum + Number(bit), 0))
}
