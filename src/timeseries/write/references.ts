import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Sent } from './outcome.ts'

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
