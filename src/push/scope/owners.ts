import type { PushScope } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** The stream of a message, and what the permission of its sender covers. */
export type Pushed = {
  /** `provider/dataset` */
  readonly stream: string
  /** Undefined: covers everything (role ADMIN). */
  readonly scope: PushScope | undefined
}

/** Whose an item is, and whether it was closed when it was deleted. */
export type Owner = { readonly stream: string; readonly closed: boolean }

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

type Claim = { readonly stream: string }

/**
 * Makes new items the stream's own. Of two streams that send the same item at the same time, the second
 * waits here, and finds that it is the other's.
 */
export async function claimItems(
  tx: Transaction,
  space: string,
  { ids, stream }: Claim & { readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    insert into push_owner (space, id, stream)
    select ${space}, id, ${stream} from unnest(${[...ids].sort()}::text[]) as id
    on conflict do nothing`)
}

/** The same for origins or sources that nothing is stored under yet. */
export async function claimNames(
  tx: Transaction,
  space: 'origin' | 'source',
  { names, stream }: Claim & { readonly names: readonly string[] },
): Promise<void> {
  if (names.length === 0) return
  const used =
    space === 'origin'
      ? sql`
        exists (select from station where origin = name)
        or exists (select from mobility_event where origin = name)`
      : sql`exists (select from content.source where id = name)`
  await tx.execute(sql`
    insert into push_owner (space, id, stream)
    select ${space}, name, ${stream} from unnest(${[...names].sort()}::text[]) as name
    where not exists (select from push_owner where space = ${space} and id = name)
      and not (${used})
    on conflict do nothing`)
}

type StationList = {
  readonly stationType: string
  readonly origin: string | null
  readonly codes: readonly string[]
}

/** The active stations that are missing from a complete list, and that the sender may not end. */
export async function loadForeignStations(
  tx: Transaction,
  { stationType, origin, codes }: StationList,
  { stream, scope }: Pushed,
): Promise<readonly string[]> {
  if (scope === undefined) return []
  if (scope.may_complete && origin !== null && scope.origins?.includes(origin) === true) return []
  const rows = await tx.query<{ code: string }>(sql`
    select code from station
    where type = ${stationType} and origin is not distinct from ${origin}::text
      and active is distinct from false and code <> all(${codes}::text[])
      and not exists (
        select from push_owner
        where space = 'station/' || station.type and id = code and stream = ${stream})`)
  return rows.map(({ code }) => code)
}
