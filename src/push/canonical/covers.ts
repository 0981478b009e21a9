import { loadStoredStations } from '../../timeseries/index.ts'
import type { Targets } from '../scope/index.ts'

/** Stations, edges and events have an origin. */
export const origins = { space: 'origin', list: 'origins' } as const

/** Records have a source, and rooms that of their accommodation. */
export const sources = { space: 'source', list: 'sources' } as const

/** Stations of a type, or what belongs to them. */
export function stationTargets(
  type: string,
  { kind, makesOwn }: Pick<Targets, 'kind' | 'makesOwn'>,
): Targets {
  return {
    ...{ kind, makesOwn, names: origins },
    space: `station/${type}`,
    within: { station_types: type },
    load: (tx, codes) => loadStoredStations(tx, type, codes),
  }
}
