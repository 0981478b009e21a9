import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Profile } from '../profile.ts'
import { nameOf, parseRepresentation, structures } from './representation.ts'
import type { Representation } from './representation.ts'

type Entry = { readonly id: string; readonly description: string; readonly self: string }

const descriptions: Readonly<Record<Representation['type'], string>> = {
  node: 'Stations, their data types and measurements',
  edge: 'Connections between two stations',
  event: 'Events in the mobility network',
}

const layouts: Readonly<Record<Representation['structure'], string>> = {
  flat: 'all fields on one level',
  tree: 'children inside their parents',
}

const types = ['node', 'edge', 'event'] as const

/** `GET /v2`: all representations (decision D40). */
export function listRepresentations(publicUrl: string): readonly Entry[] {
  return structures.flatMap((structure) =>
    types.map((type) => toEntry({ structure, type }, publicUrl)),
  )
}

type TypesAsked = {
  /** As it stands in the path. */
  readonly segment: string
  readonly visibility: Visibility
  readonly publicUrl: string
  readonly profile: Profile
}

/**
 * `GET /v2/{representation}`: the representations of one structure, each with what it can be asked for:
 * station types, edge types or event origins. Clients of the public system expect these types
 * themselves, of the representation that they name (decision D40).
 */
export async function listTypes(
  database: Queryable,
  { segment, visibility, publicUrl, profile }: TypesAsked,
): Promise<readonly object[]> {
  const asked = parseRepresentation(segment)
  const load = (representation: Representation, self: string) =>
    loadTypes(database, { representation, self, visibility })
  if (profile === 'compatible') return load(asked, `${publicUrl}/v2/${segment}`)
  const entries = types.map(async (type) => {
    const representation = { structure: asked.structure, type }
    const entry = toEntry(representation, publicUrl)
    return { ...entry, types: await load(representation, entry.self) }
  })
  return Promise.all(entries)
}

type Listed = {
  readonly representation: Representation
  /** The address that the names of types are put behind. */
  readonly self: string
  readonly visibility: Visibility
}

async function loadTypes(
  database: Queryable,
  { representation, self, visibility }: Listed,
): Promise<readonly object[]> {
  const names = await database.texts(namesOf[representation.type](visibility))
  return names.map(([id]) => ({
    id,
    description: null,
    ...linksOf(representation, `${self}/${encodeURIComponent(id ?? '')}`),
  }))
}

function toEntry(representation: Representation, publicUrl: string): Entry {
  const id = nameOf(representation)
  const description = `${descriptions[representation.type]}; ${layouts[representation.structure]}`
  return { id, description, self: `${publicUrl}/v2/${id}` }
}

/** The links of a type: on one level in flat, in an object in tree (reference 1.5). */
function linksOf({ structure, type }: Representation, address: string): object {
  const links = linkSuffixes[type].map(([name, suffix]) => [name, `${address}${suffix}`] as const)
  return structure === 'tree'
    ? { self: Object.fromEntries(links) }
    : Object.fromEntries(links.map(([name, link]) => [`self.${name}`, link]))
}

const linkSuffixes: Readonly<
  Record<Representation['type'], readonly (readonly [string, string])[]>
> = {
  node: [
    ['stations', ''],
    ['stations+datatypes', '/*'],
    ['stations+datatypes+measurements', '/*/latest'],
  ],
  edge: [['edges', '']],
  event: [['events', '']],
}

/** Only types of which something is shown, and only origins of events that the caller may see. */
const namesOf: Readonly<Record<Representation['type'], (visibility: Visibility) => Sql>> = {
  node: () => sql`
    select type from station_types() as type
    where exists (select from station where station.type = type.type and available)
    order by type`,
  edge: () => sql`
    select type from station_types() as type
    where exists (
      select from edge join station on station.id = edge.station_id
      where station.type = type.type and available)
    order by type`,
  event: (visibility) => sql`
    select distinct origin from mobility_event
    where ${visible(visibility, 'event', {
      closed: sql`closed`,
      origin: sql`origin`,
      type: sql`category`,
    })}
    order by origin`,
}
