import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { dataTypes } from '../datasets.ts'
import { keepLast, recordUpserts } from './outcome.ts'
import type { Outcome, Saving, Sent } from './outcome.ts'

/** How messages name a station: codes are unique within a type only. */
export type StationReference = { readonly type: string; readonly code: string }

export const keyOf = ({ type, code }: StationReference): string => JSON.stringify([type, code])

/** The keys of those stations that exist. */
export async function findStations(
  tx: Transaction,
  references: readonly StationReference[],
): Promise<ReadonlySet<string>> {
  if (references.length === 0) return new Set()
  const rows = await tx.query<{ type: string; code: string }>(sql`
    select type, code from station
    where (type, code) in (
      select * from unnest(
        ${references.map(({ type }) => type)}::text[],
        ${references.map(({ code }) => code)}::text[]))`)
  return new Set(rows.map(keyOf))
}

type Child = { readonly code: string; readonly parent?: StationReference | null | undefined }

/**
 * The indexes of those items whose parent exists, or comes with the same message and is taken itself.
 */
export async function withKnownParent(
  tx: Transaction,
  stationType: string,
  sent: readonly Sent<Child>[],
): Promise<ReadonlySet<number>> {
  const stored = await findStations(
    tx,
    sent.flatMap(({ item }) => item.parent ?? []),
  )
  let taken = sent
  // A child of a refused item is refused too, so this repeats until nothing more falls out.
  for (;;) {
    const coming = new Set(taken.map(({ item }) => keyOf({ type: stationType, code: item.code })))
    const next = taken.filter(({ item: { parent } }) => {
      if (parent === null || parent === undefined) return true
      return stored.has(keyOf(parent)) || coming.has(keyOf(parent))
    })
    if (next.length === taken.length) return new Set(next.map(({ index }) => index))
    taken = next
  }
}

/** A data type as messages describe it. A member that is left out keeps its value, null clears it. */
export type DataTypeItem = {
  readonly name: string
  readonly unit?: string | null | undefined
  /** Kind of measure, such as Instantaneous or Mean. */
  readonly type?: string | null | undefined
  readonly description?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export type DataTypesWrite = Saving & { readonly items: readonly DataTypeItem[] }

/** Upserts data types by name. */
export async function storeDataTypes(tx: Transaction, write: DataTypesWrite): Promise<Outcome> {
  const { taken, rejected } = keepLast(write.items, 'name')
  const items = taken.map(({ item }) => item)
  if (items.length === 0) return { stored: 0, rejected }
  const names = items.map(({ name }) => name).sort()
  await tx.execute(sql`
    insert into data_type (name, received)
    select name, '-infinity' from unnest(${names}::text[]) as name
    on conflict do nothing`)
  await tx.execute(sql`
    select from data_type where name = any(${names}) order by id for update`)
  await recordUpserts(tx, dataTypes, await update(tx, items, write.received))
  return { stored: items.length, rejected }
}

/** Writes the members that were sent and returns the names of the types that changed. */
async function update(
  tx: Transaction,
  items: readonly DataTypeItem[],
  received: Date,
): Promise<readonly string[]> {
  const changed = await tx.query<{ name: string }>(sql`
    with wanted as (
      select known.id, known.name, known as old,
        case when item ? 'unit' then item ->> 'unit' else known.unit end as unit,
        case when item ? 'type' then item ->> 'type' else known.rtype end as rtype,
        case when item ? 'description' then item ->> 'description' else known.description end
          as description,
        case when item ? 'metadata' then nullif(item -> 'metadata', 'null') else known.metadata end
          as metadata
      from unnest(${items.map((item) => JSON.stringify(item))}::jsonb[]) as sent (item)
      join data_type as known on known.name = item ->> 'name'
      where known.received <= ${received.toISOString()}
    ), updated as (
      update data_type set
        unit = wanted.unit, rtype = wanted.rtype, description = wanted.description,
        metadata = wanted.metadata, received = ${received.toISOString()}
      from wanted where data_type.id = wanted.id
    )
    select name from wanted
    where (old).received = '-infinity'
      or ((old).unit, (old).rtype, (old).description, (old).metadata)
        is distinct from (unit, rtype, description, metadata)`)
  return changed.map(({ name }) => name)
}
