import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { toCents } from './check-item.ts'
import { keyOf } from './item.ts'
import type { PlanItem, RoomItem } from './item.ts'

/**
 * Replaces the plans of the rooms that bring some, all of a room together.
 * @param written ids of the rooms that this message describes; a younger message wrote the others
 */
export async function storePlans(
  tx: Transaction,
  rooms: readonly RoomItem[],
  written: ReadonlyMap<string, number>,
): Promise<void> {
  const replaced = rooms.flatMap((room) => {
    const id = written.get(keyOf(room))
    return id === undefined || room.plans === undefined ? [] : [{ id, plans: room.plans }]
  })
  const ids = replaced.map(({ id }) => id)
  const rows = replaced.flatMap(({ id, plans }) => plans.map((plan) => toRow(id, plan)))
  await tx.execute(sql`delete from availability_plan where room_id = any(${ids}::integer[])`)
  await tx.execute(sql`
    insert into availability_plan
      (room_id, plan, channel, board, per_guest, price, children, link)
    select plans.* from unnest(${rows}::jsonb[]) as sent (item)
    cross join lateral jsonb_to_record(item) as plans (
      room_id integer, plan text, channel text, board text, per_guest boolean, price bigint,
      children jsonb, link text)`)
}

function toRow(id: number, { per, price, children = [], link, ...plan }: PlanItem): string {
  const upwards = [...children].sort((one, other) => one.age - other.age)
  return JSON.stringify({
    ...plan,
    room_id: id,
    per_guest: per === 'guest',
    price: typeof price === 'number' ? toCents(price) : null,
    children: upwards.map(({ age, percent }) => [age, percent]),
    link: link ?? null,
  })
}
