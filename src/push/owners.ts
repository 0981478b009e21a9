import { sql } from '../sql/index.ts'
import type { Transaction } from '../storage/index.ts'
import { toSlug } from '../timeseries/index.ts'

/**
 * Ownership of the items, origins and sources that streams push (decision D67): the first stream
 * that stores one owns it.
 */

/** The stream that owns an item, and whether the item was closed when it was deleted. */
export type Owner = { readonly stream: string; readonly closed: boolean }

/**
 * Returns the provider of a stream in lower case, because providers are compared
 * case-insensitively.
 */
export const providerOf = (stream: string) => (stream.split('/')[0] ?? stream).toLowerCase()

export async function loadOwners(
  tx: Transaction,
  space: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Owner & { readonly id: string }>(sql`
    select id, stream, closed from push_owner
    where space = ${space} and id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** An item or a name that a stream came to own in this transaction. */
export type Claim = { readonly space: string; readonly id: string }

/**
 * Makes a stream the owner of new items or names. If two streams send the same one at the same
 * time, the second waits here and then finds that the other owns it.
 * @returns the claims of those that had no owner before
 */
export async function claim(
  tx: Transaction,
  space: string,
  { ids, stream }: { readonly ids: Iterable<string>; readonly stream: string },
): Promise<readonly Claim[]> {
  const wanted = [...new Set(ids)].sort()
  if (wanted.length === 0) return []
  return await tx.query<Claim>(sql`
    insert into push_owner (space, id, stream)
    select ${space}, id, ${stream} from unnest(${wanted}::text[]) as id
    on conflict do nothing
    returning space, id`)
}

/** Removes claims of this transaction under which nothing was stored. */
export async function release(tx: Transaction, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  const [spaces, ids] = [claims.map(({ space }) => space), claims.map(({ id }) => id)]
  await tx.execute(sql`
    delete from push_owner using unnest(${spaces}::text[], ${ids}::text[]) as given (space, id)
    where push_owner.space = given.space and push_owner.id = given.id`)
}

/** Kinds of names: stations, edges and events have an origin, records have a source. */
export type NameSpace = 'origin' | 'source'

/** Origins or sources that are in use. */
export type Names = {
  /**
   * Provider by name, or an empty string if the data has no owner. A name that is missing here is
   * free.
   */
  readonly providers: ReadonlyMap<string, string>
  /** For each free name, the used names that have the same URL in feeds (decision D54). */
  readonly besides: ReadonlyMap<string, readonly Used[]>
}

type Used = { readonly name: string; readonly provider: string }

export async function loadNames(
  tx: Transaction,
  space: NameSpace,
  names: readonly string[],
): Promise<Names> {
  if (names.length === 0) return { providers: new Map(), besides: new Map() }
  const isUsed =
    space === 'origin'
      ? sql`
        exists (select from station where origin = name)
        or exists (select from mobility_event where origin = name)`
      : sql`exists (select from content.source where id = name)`
  const rows = await tx.query<{ readonly name: string; readonly stream: string | null }>(sql`
    select name, stream from unnest(${names}::text[]) as name
    left join push_owner on space = ${space} and id = name
    where stream is not null or ${isUsed}`)
  const providers = new Map(rows.map(({ name, stream }) => [name, providerOf(stream ?? '')]))
  const free = names.filter((name) => !providers.has(name))
  const besides = space === 'origin' ? await loadBesides(tx, free) : new Map<string, Used[]>()
  return { providers, besides }
}

/**
 * Loads the used origins that have the same slug as a free one. Another transaction with a new
 * origin of one of these slugs waits until this one ends.
 */
async function loadBesides(
  tx: Transaction,
  free: readonly string[],
): Promise<ReadonlyMap<string, readonly Used[]>> {
  if (free.length === 0) return new Map()
  const slugs = [...new Set(free.map(toSlug))].sort()
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('address of origins ' || slug, 0))
    from unnest(${slugs}::text[]) as slug`)
  const rows = await tx.query<{ readonly name: string; readonly stream: string | null }>(sql`
    select id as name, stream from push_owner where space = 'origin'
    union all
    select origin, null from (
      select distinct origin collate "C" as origin from station where origin is not null
      union
      select origin from mobility_event
    ) as used
    where not exists (select from push_owner where space = 'origin' and id = used.origin)`)
  const used = rows.map(({ name, stream }) => ({ name, provider: providerOf(stream ?? '') }))
  const bySlug = Map.groupBy(used, ({ name }) => toSlug(name))
  return new Map(free.map((name) => [name, bySlug.get(toSlug(name)) ?? []]))
}

/**
 * Loads the series of events that exist under an origin, each with the stream that wrote its first
 * state, and whether its newest state is closed. Series without an owner are missing: the stream
 * that claims one first may write its states.
 */
export function loadOwnedSeries(tx: Transaction, origin: string, series: readonly string[]) {
  type Series = {
    readonly id: string
    readonly origin: string
    readonly closed: boolean
    readonly stream: string
  }
  return tx.query<Series>(sql`
    select distinct on (series) series as id, origin, stream, last_value(event.closed) over states as closed
    from mobility_event as event join push_owner as owner on space = 'event' and owner.id = uuid
    where origin = ${origin} and series = any(${series}::text[])
    window states as (
      partition by series order by first_recorded, place, uuid
      rows between unbounded preceding and unbounded following)
    order by series, first_recorded, place, uuid`)
}
