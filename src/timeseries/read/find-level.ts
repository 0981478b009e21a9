import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { hintAt } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import {
  dataTypeLevel,
  edgeLevel,
  eventLevel,
  eventsAt,
  eventsBetween,
  historyLevel,
  latestEventLevel,
  latestLevel,
  metadataLevel,
  stationLevel,
} from '../catalogue/levels.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Profile } from '../parameters.ts'
import { parseTime } from '../time.ts'
import { parseNames } from './members.ts'
import type { Names } from './members.ts'
import { nameOf, parseRepresentation, structures } from './representation.ts'
import type { Representation } from './representation.ts'

/** What the path of a request specifies. */
export type Place = {
  readonly representation: Representation
  readonly level: Level
  readonly types: Names
  readonly dataTypes?: Names
}

/**
 * Parses a path (reference 1.2). The number and the meaning of its segments depend on the type of
 * the representation.
 * @param segments of the path after `/v2`; the first two always exist
 * @throws AppError HUB-QRY-001 for an unknown representation or an invalid time, HUB-RTE-001 for a
 * depth that the representation does not have
 */
export function findLevel([first = '', second = '', ...rest]: readonly string[]): Place {
  const representation = parseRepresentation(first)
  const place = { representation, types: parseNames(second) }
  switch (representation.type) {
    case 'node':
      return { ...place, ...findNodeLevel(representation, rest) }
    case 'edge':
      if (rest.length > 0) throw noSuchDepth(representation)
      return { ...place, level: edgeLevel }
    case 'event':
      return { ...place, level: findEventLevel(representation, rest) }
  }
}

function findNodeLevel(
  representation: Representation,
  [dataTypes, from, to]: readonly string[],
): Pick<Place, 'level' | 'dataTypes'> {
  if (dataTypes === undefined) return { level: stationLevel }
  const names = parseNames(dataTypes)
  if (from === undefined) return { level: dataTypeLevel, dataTypes: names }
  if (to !== undefined) {
    const range = readRange({ from, to })
    if (isWord(dataTypes, 'metadata')) return { level: metadataLevel(range) }
    return { level: historyLevel(range), dataTypes: names }
  }
  if (isWord(from, 'latest')) return { level: latestLevel, dataTypes: names }
  throw noSuchDepth(representation)
}

function findEventLevel(
  representation: Representation,
  [from, to, ...more]: readonly string[],
): Level {
  if (more.length > 0) throw noSuchDepth(representation)
  if (from === undefined) return eventLevel
  if (to !== undefined) return eventsBetween(readRange({ from, to }))
  return isWord(from, 'latest') ? latestEventLevel : eventsAt(readPathTime('time', from))
}

function isWord(segment: string, word: string): boolean {
  return segment.toLowerCase() === word
}

const shapes: Readonly<Record<Representation['type'], string>> = {
  node: '{stationTypes}, {stationTypes}/{dataTypes}, the same with /latest, or with /{from}/{to}; {stationTypes}/metadata/{from}/{to}',
  edge: '{edgeTypes}',
  event: '{origins}, the same with /latest, with /{time}, or with /{from}/{to}',
}

function noSuchDepth(representation: Representation): AppError {
  const name = nameOf(representation)
  return new AppError('HUB-RTE-001', `The representation ${name} has no such path.`, {
    hint: `After /v2/${name}/ comes ${shapes[representation.type]}.`,
  })
}

/**
 * Parses a time in a path.
 * @throws AppError HUB-QRY-001 for an invalid time
 */
function readPathTime(name: string, written: string): string {
  const time = parseTime(written)
  if (time !== undefined) return time
  throw new AppError('HUB-QRY-001', `${JSON.stringify(written)} is not a valid time.`, {
    hint: 'Write 2026-11-20 or 2026-11-20T10:15:00, if necessary with a zone such as Z or +01:00.',
    issues: [
      {
        parameter: name,
        detail: 'is not a valid time, or a day that does not exist',
        expected: ['yyyy-MM-dd', 'yyyy-MM-ddTHH:mm:ss', 'yyyy-MM-ddTHH:mm:ss.SSS+ZZZZ'],
      },
    ],
  })
}

/**
 * Parses a range between two times of a path.
 * @throws AppError HUB-QRY-001 for an invalid time, or a range that ends before it starts (decision
 * D49)
 */
export function readRange(written: { readonly from: string; readonly to: string }) {
  const range = { from: readPathTime('from', written.from), to: readPathTime('to', written.to) }
  if (range.from <= range.to) return range
  throw new AppError(
    'HUB-QRY-001',
    `The range ends (${range.to}) before it starts (${range.from}).`,
    {
      hint: 'The earlier time comes first; it is included, the later one is not.',
      issues: [{ parameter: 'from', detail: 'is after to' }],
    },
  )
}

type Known = {
  readonly parameter: string
  readonly names: readonly string[]
  /** Selects the names that exist. */
  readonly known: Sql
  /** What the names denote, and the path that lists them; both for error messages. */
  readonly what: string
  readonly listedAt: string
}

/**
 * Asserts that all names exist. In strict mode, a name that would silently match nothing is an
 * error (decision D3).
 * @throws AppError HUB-QRY-003
 */
export async function assertKnown(
  database: Queryable,
  { parameter, names, known: statement, what, listedAt }: Known,
): Promise<void> {
  if (names.length === 0) return
  const known = (await database.texts(statement)).flatMap(([name]) => name ?? [])
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const detail = `names ${unknown}, which is not ${what}`
  const { hint = `${listedAt} lists all of them.` } = hintAt(unknown, known)
  throw new AppError('HUB-QRY-003', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: [`a name of ${listedAt}`], hint }],
    hint,
  })
}

/**
 * Asserts that all names in a request exist. Of the origins of events, only those that the caller
 * may see are known.
 * @throws AppError HUB-QRY-003
 */
export async function assertNamesKnown(
  database: Queryable,
  { representation: { type }, types, dataTypes, visibility }: Omit<Place, 'level'> & Reader,
  origins: readonly string[],
): Promise<void> {
  const named = (names?: Names) => (names?.kind === 'some' ? names.names : [])
  const ofType = namesOf[type](visibility)
  const ofOrigin = type === 'event' ? ofType : sql`select distinct origin from station`
  const ofData = sql`select name from data_type`
  for (const one of [
    { ...typeWords, what: whatOf[type], names: named(types), known: ofType },
    { ...dataTypeWords, names: named(dataTypes), known: ofData },
    { ...originWords, names: origins, known: ofOrigin },
  ]) {
    await assertKnown(database, one)
  }
}

const whatOf: Readonly<Record<Representation['type'], string>> = {
  node: 'the type of any station',
  edge: 'the type of any edge',
  event: 'the origin of any event',
}
const typeWords = { parameter: 'stationTypes', listedAt: '/v2/flat' }
const dataTypeWords = {
  ...{ parameter: 'dataTypes', what: 'a data type' },
  listedAt: '/v2/flat/*/*?select=tname',
}
const originWords = {
  ...{ parameter: 'origin', what: 'an origin of the hub' },
  listedAt: '/v2/flat/*?select=sorigin',
}

type Reader = { readonly visibility: Visibility }

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

/** Lists all representations for `GET /v2` (decision D40). */
export function listRepresentations(publicUrl: string): readonly Entry[] {
  return structures.flatMap((structure) =>
    types.map((type) => toEntry({ structure, type }, publicUrl)),
  )
}

type TypesRequest = {
  /** The segment as written in the path. */
  readonly segment: string
  readonly visibility: Visibility
  readonly publicUrl: string
  readonly profile: Profile
}

/**
 * Lists, for `GET /v2/{representation}`, all representations of one structure, each with what can
 * be requested: station types, edge types or event origins. Clients of the public system expect
 * only these types, for the representation that they name (decision D40).
 */
export async function listTypes(
  database: Queryable,
  { segment, visibility, publicUrl, profile }: TypesRequest,
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
  /** The URL that the names of types are appended to. */
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

/** Returns the links of a type: on one level in flat, in an object in tree (reference 1.5). */
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

/**
 * Selects the names by representation: only types with visible records, and only origins of events
 * that the caller may see.
 */
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
