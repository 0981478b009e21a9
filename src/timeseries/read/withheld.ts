import { seesAll } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import type { Withheld } from '../../http/index.ts'
import { dataTypeLevel } from '../catalogue/node-levels.ts'
import type { Names } from './names.ts'
import type { Asked } from './plan.ts'

/**
 * What a read does not show its caller (decisions D6, D60). Stations, data types and edges are always
 * listed; a series without its value lacks fields; values and events that are closed are left out.
 */
export function withheldFrom(asked: Asked): readonly Withheld[] {
  const { representation, level, types, visibility } = asked
  if (representation.type === 'event') {
    return seesAll(visibility, 'event', { origins: named(types) }) ? [] : ['records']
  }
  if (level.dataType === undefined) return []
  if (seesAll(visibility, 'timeseries', { types: named(types) })) return []
  return level === dataTypeLevel ? ['fields'] : ['records']
}

/** A list of types shows the origins of events that the caller may see, and no others. */
export function withheldTypes(visibility: Visibility): readonly Withheld[] {
  return seesAll(visibility, 'event') ? [] : ['records']
}

function named(names: Names): readonly string[] | undefined {
  return names.kind === 'some' ? names.names : undefined
}
