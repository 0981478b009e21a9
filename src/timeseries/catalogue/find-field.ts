import { nearest } from '../../lang/index.ts'
import type { Field, Group } from './groups.ts'
import {
  dataType,
  edge,
  edgeBegin,
  edgeEnd,
  event,
  eventLocation,
  eventProvenance,
  measurement,
  metadataHistory,
  parent,
  provenance,
  station,
} from './groups.ts'
import type { Level } from './levels.ts'

/** Names of the tree that stand for all fields of the groups below them (reference 2.2). */
export const pointers: ReadonlyMap<string, readonly Group[]> = new Map([
  ['sparent', [parent]],
  ['sdatatypes', [dataType, measurement, provenance]],
  ['tmeasurements', [measurement, provenance]],
  ['mprovenance', [provenance]],
  ['smetadatahistory', [metadataHistory]],
  ['ebegin', [edgeBegin]],
  ['eend', [edgeEnd]],
  ['evlocation', [eventLocation]],
  ['evprovenance', [eventProvenance]],
])

/** Advice for a path in `where` or `select` that continues with a character that is not allowed. */
export const keyAdvice = 'In a path, a key consists of letters, digits, _ and -'

export type Found = { readonly field: Field; readonly group: Group }

/** Returns the field of this name at a level. Names are case-sensitive (reference 2.2). */
export function findField({ groups }: Level, name: string): Found | undefined {
  for (const group of groups) {
    const field = group.fields.find((candidate) => candidate.name === name)
    if (field !== undefined) return { field, group }
  }
  return undefined
}

/** Returns advice for a name that a level does not have. `names` are those that it has. */
export function adviceFor(
  { groups }: Level,
  name: string,
  names: readonly string[],
): string | undefined {
  const meant = nearest(name, names)
  const home = places.find(({ group }) => group.fields.some((field) => field.name === name))
  if (name === '_timestamp') return 'It is the same as mvalidtime; use that name.'
  if (home !== undefined && !groups.includes(home.group)) return `${name} belongs to ${home.place}.`
  if (pointers.has(name)) return `${name} is a group of fields; name one of them.`
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}

const withTypes = 'paths with data types: put a segment with their names, or a star, into the path'
const nodes = 'stations (flat,node or tree,node)'
const edges = 'edges (flat,edge or tree,edge)'
const events = 'events (flat,event or tree,event)'

const places: readonly { readonly group: Group; readonly place: string }[] = [
  { group: dataType, place: withTypes },
  { group: measurement, place: withTypes },
  { group: provenance, place: withTypes },
  { group: station, place: nodes },
  { group: parent, place: nodes },
  {
    group: metadataHistory,
    place: 'the history of metadata: /{stationTypes}/metadata/{from}/{to}',
  },
  { group: edge, place: edges },
  { group: edgeBegin, place: edges },
  { group: edgeEnd, place: edges },
  { group: event, place: events },
  { group: eventLocation, place: events },
]
