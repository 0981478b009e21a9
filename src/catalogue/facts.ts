import type { Visibility } from '../access/index.ts'
import { loadRegistrations, summarise, withClosedRecords } from '../content/index.ts'
import type { Entity, Summary } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { inOrder } from '../tally/index.ts'
import type { Tally } from '../tally/index.ts'
import { stationsVersion, summariseStations, summariseValues } from '../timeseries/index.ts'
import type { StationSummary, ValueSummary } from '../timeseries/index.ts'
import { grid } from './miniature.ts'
import type { Dataset } from './schemas.ts'

/** Catalogue entry of a dataset, without its picture, extent and registration time. */
export type Described = Omit<Dataset, 'extent' | 'miniature' | 'registered'>

export type Counted = Described['tags'][number]

/** Where and when the records of a dataset changed: the input of a miniature. */
export type Traces = {
  /** Records by cell, with keys such as `x y`. */
  readonly cells: Tally
  readonly months: Tally
  /** Cells that everybody may see. */
  readonly openCells: Tally
  readonly values: Values
}

/** Values in use with their counts, from which filters are offered. */
export type Values = {
  readonly tags: Tally
  readonly languages: Tally
  readonly sources: Tally
  readonly licences: Tally
  readonly dataTypes: Tally
}

/** A dataset whose miniature has not been drawn yet. */
export type Drawable = { readonly described: Described; readonly traces: Traces }

/**
 * Returns a function that numbers objects in the order in which it first receives them. They are
 * held weakly, so they can still be garbage-collected.
 */
export function numbering(): (thing: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const number = known.get(thing) ?? (last += 1)
    known.set(thing, number)
    return number
  }
}

/** Summaries of the records by entity, and by origin within a view of events. */
type ContentFacts = ReadonlyMap<string, ReadonlyMap<string, Summary>>

/** Facts that everybody may see. */
export type OpenFacts = {
  readonly content: ContentFacts
  readonly stations: ReadonlyMap<string, StationSummary>
  readonly values: ReadonlyMap<string, ValueSummary>
  readonly registered: ReadonlyMap<string, string>
}

/** Closed data that some callers may see in addition to the open facts. */
export type ClosedFacts = {
  readonly content: ContentFacts
  readonly values: ReadonlyMap<string, ValueSummary>
}

type Deps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly now: () => Date
}

type RememberedPart = { readonly version: string; readonly found: Found }
type Remembered = Map<string, RememberedPart>
type Found = ReadonlyMap<string, Summary>

const nothing: Found = new Map()

/**
 * Reads the data of the catalogue. The open part is read once for all callers, the closed part once
 * per kind of rights. Only data written since the last run is read again.
 */
type FactReader = {
  readonly open: () => Promise<OpenFacts>
  readonly closed: (visibility: Visibility) => Promise<ClosedFacts>
}

export function factReader({ database, entities, now }: Deps): FactReader {
  const openParts: Remembered = new Map()
  const closedParts = new WeakMap<Visibility, Remembered>()
  const content = async (part: 'open' | Visibility): Promise<ContentFacts> => {
    const known: Remembered =
      part === 'open' ? openParts : (closedParts.get(part) ?? new Map<string, RememberedPart>())
    if (part !== 'open') closedParts.set(part, known)
    const versions = await loadVersions(database, entities)
    const isKnown = ({ name }: Entity) => known.get(name)?.version === (versions.get(name) ?? '')
    const changed = entities.filter((entity) => !isKnown(entity))
    const filled = part === 'open' ? undefined : await withClosedRecords(database, changed, part)
    const facts = new Map<string, Found>()
    for (const entity of entities) {
      const { name } = entity
      const kept = isKnown(entity) ? known.get(name)?.found : undefined
      const isEmpty = filled !== undefined && !filled.has(name)
      const found = kept ?? (isEmpty ? nothing : await summarise(database, { entity, part, grid }))
      known.set(name, { version: versions.get(name) ?? '', found })
      facts.set(name, found)
    }
    return facts
  }
  const rest = restReader({ database, entities })
  return {
    open: async () => ({
      content: await content('open'),
      ...(await rest()),
      values: await summariseValues(database, { part: 'open', now: now() }),
    }),
    closed: async (visibility) => ({
      content: await content(visibility),
      values: await summariseValues(database, { part: visibility, now: now() }),
    }),
  }
}

type Rest = Pick<OpenFacts, 'stations' | 'registered'>

/**
 * Returns a reader of stations and registrations. They change rarely compared with values, so they
 * are read only after one has been written.
 */
function restReader({ database, entities }: Omit<Deps, 'now'>): () => Promise<Rest> {
  const stations = remembering(
    () => stationsVersion(database),
    () => summariseStations(database, grid),
  )
  const registered = remembering(
    () => loadVersion(database, 'MetaData'),
    () => loadRegistrations(database, entities),
  )
  return async () => ({ stations: await stations(), registered: await registered() })
}

/**
 * Caches a value until its version changes. The version is read before the value, so that a change
 * in between is found the next time.
 */
function remembering<Value>(
  loadVersion: () => Promise<string>,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly version: string; readonly value: Value } | undefined
  return async () => {
    const version = await loadVersion()
    if (kept?.version !== version) kept = { version, value: await load() }
    return kept.value
  }
}

async function loadVersion(database: Queryable, dataset: string): Promise<string> {
  const [row] = await database.texts(sql`select ${versionOfDataset(sql`${dataset}`)}`)
  return row?.[0] ?? ''
}

/**
 * Loads the versions of all entities. They must be read before the records, so that a change in
 * between is found the next time.
 */
async function loadVersions(
  database: Queryable,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, string>> {
  const names = entities.map(({ name }) => name)
  const rows = await database.texts(sql`
    select dataset, ${versionOfDataset(sql`dataset`)} from unnest(${names}::text[]) as dataset`)
  return new Map(rows.map(([dataset, version]) => [dataset ?? '', version ?? '']))
}

const added = new WeakMap<Tally, WeakMap<Tally, Tally>>()

/** Adds two tallies, most frequent first. Tallies never change, so each sum is computed once. */
export function addTallies(one: Tally, other: Tally): Tally {
  if (other.size === 0) return one
  const sums = added.get(one) ?? new WeakMap<Tally, Tally>()
  added.set(one, sums)
  const known = sums.get(other) ?? sumOf(one, other)
  sums.set(other, known)
  return known
}

function sumOf(one: Tally, other: Tally): Tally {
  const sums = new Map(one)
  for (const [value, count] of other) sums.set(value, (sums.get(value) ?? 0) + count)
  return inOrder(sums)
}

/** Returns the most frequent values, at most `most`. */
export function mostOf(tally: Tally, most: number): readonly Counted[] {
  return [...tally].slice(0, most).map(([id, count]) => ({ id, count }))
}

/** Returns the values without their counts, most frequent first. */
export function valuesOf(tally: Tally): readonly string[] {
  return [...tally.keys()]
}
