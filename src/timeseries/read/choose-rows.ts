import type { Sql } from '../../sql/index.ts'
import { measurement, provenance } from '../catalogue/groups.ts'
import type { Level } from '../catalogue/level.ts'
import type { Shown } from '../select/resolve.ts'
import type { Names } from './names.ts'
import type { Representation } from './representation.ts'

/**
 * `every`: each row of the level is a result. `grouped`: rows that show the same are one result, of
 * which aggregates are computed.
 */
export type Rows = 'every' | 'grouped'

type Choice = {
  readonly level: Level
  readonly shown: readonly Shown[]
  readonly structure: Representation['structure']
  readonly types: Names
  readonly distinct: boolean
}

/**
 * Whether rows have to be told apart. Values never are: `distinct` drops no value of another station or
 * time (decision D46). Where what is shown identifies a row there is nothing to be dropped, and the
 * rows can be read in the order of an index.
 */
export function chooseRows({ level, shown, structure, types, distinct }: Choice): Rows {
  if (shown.some(({ aggregate }) => aggregate !== undefined)) return 'grouped'
  const showsValues =
    level.timestamp !== undefined ||
    shown.some(({ group }) => group === measurement || group === provenance)
  if (!distinct || showsValues) return 'every'
  const known = [
    ...shown.map(({ printed }) => printed),
    ...(types.kind === 'some' && types.names.length === 1 ? [level.type] : []),
    ...(structure === 'tree' ? keysOf(level) : []),
  ].map(({ text }) => text)
  return level.identity.every(({ text }) => known.includes(text)) ? 'every' : 'grouped'
}

/** What the objects of the tree are found by: always read, whatever is selected (reference 1.8). */
export function keysOf({ tree, treeOrder }: Level): readonly Sql[] {
  return tree.levels.flatMap(({ key }) => treeOrder.columns[key]?.expression ?? [])
}
