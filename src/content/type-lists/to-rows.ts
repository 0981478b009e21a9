import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { membersOf, parseRecord, textOf } from '../formats/record-members.ts'
import type { Members } from '../formats/record-members.ts'
import { isVisible } from '../list/plan.ts'
import type { Caller } from '../list/plan.ts'
import { tableOf } from '../table.ts'
import type { TypeList } from './type-lists.ts'

/** A row as it is answered (reference content.md 7.14). */
export type Row = {
  readonly Id: string
  /** 0: not part of a mask. */
  readonly Bitmask: number
  readonly Type: string
  readonly Parent: null
  readonly Key: string
  readonly TypeDesc: Members
}

type From = {
  readonly database: Queryable
  /** The entity of tags. */
  readonly tag: Entity | undefined
  readonly caller: Caller
}

/** All rows of a list: those that stand in code, then those that tags tell which the caller may see. */
export async function loadRows(list: TypeList, from: From): Promise<readonly Row[]> {
  const coded = Object.entries(list.masks).flatMap(([type, rows]) =>
    rows.map(({ code, key, names }, bit) =>
      toRow(code, type, { Bitmask: 2 ** bit, Key: key, TypeDesc: names }),
    ),
  )
  return [...coded, ...(await loadTagged(list, from))]
}

async function loadTagged(
  { tagged }: TypeList,
  { database, tag, caller }: From,
): Promise<readonly Row[]> {
  const kinds = Object.entries(tagged)
  if (tag === undefined || kinds.length === 0) return []
  const rows = await database.texts(sql`
    select id, data from ${tableOf(tag)}
    where types && ${kinds.flatMap(([, types]) => types)}::text[] and ${isVisible(tag, caller.visibility)}
    order by id`)
  return kinds.flatMap(([type, wanted]) =>
    rows.flatMap(([id, data]) => {
      const record = parseRecord(data ?? '{}')
      const types = [record['Types']].flat().map((one) => String(one).toLowerCase())
      const isWanted = typeof id === 'string' && wanted.some((one) => types.includes(one))
      return isWanted ? [taggedRow(id, type, record)] : []
    }),
  )
}

function taggedRow(id: string, type: string, record: Members): Row {
  const TypeDesc = membersOf(record['TagName'])
  const Key = textOf(TypeDesc['de']) ?? textOf(record['Shortname']) ?? id
  return toRow(id, type, { Bitmask: 0, Key, TypeDesc })
}

function toRow(
  Id: string,
  Type: string,
  { Bitmask, Key, TypeDesc }: Omit<Row, 'Id' | 'Type' | 'Parent'>,
): Row {
  return { Id, Bitmask, Type, Parent: null, Key, TypeDesc }
}
