import type { Operation } from 'rfc6902'
import { AppError } from '../../errors/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { visible } from '../../access/index.ts'
import { inSlices } from '../../http/index.ts'
import { differenceOf } from '../edit/index.ts'
import type { Entity } from '../entity.ts'
import { parseRecord } from '../formats/record-members.ts'
import { isVisible } from '../list/plan.ts'
import type { Caller } from '../list/plan.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { tableOf } from '../table.ts'

/** Whose history is wanted. The id is spelt as the entity stores it. */
export type Wanted = { readonly entity: Entity; readonly id: string }

type Members = Readonly<Record<string, unknown>>

/** A state of a record. */
export type Version = {
  readonly revision: number
  readonly data: Members
  /** What made it of the state before; undefined where that is not kept, or not to be seen. */
  readonly changes: readonly Operation[] | undefined
}

type Page = { readonly offset: number; readonly limit: number }

/**
 * The states of a record that a caller may see, the newest first, and how many there are.
 * @throws AppError HUB-RTE-003 when there is no record that the caller may see (decision D34)
 */
export async function loadVersions(
  database: Queryable,
  { entity, id }: Wanted,
  { caller, offset, limit }: Page & { readonly caller: Caller },
): Promise<{ readonly total: number; readonly versions: readonly Version[] }> {
  // One more than the page holds: what its last state was made from.
  const rows = await database.texts(sql`
    select revision, data, count(*) over ()
    from ${statesOf({ entity, id }, caller)}
    order by revision desc limit ${limit + 1}::integer offset ${offset}::integer`)
  if (rows.length === 0) {
    const total = offset === 0 ? 0 : await countStates(database, { entity, id }, caller)
    if (total === 0) throw noSuchRecord(entity, id)
    return { total, versions: [] }
  }
  return { total: Number(rows[0]?.[2]), versions: await inSlices(versionsIn(rows, limit)) }
}

/** In steps of one comparison, so that other requests are answered between two of them. */
function* versionsIn(
  rows: readonly (readonly (string | null)[])[],
  limit: number,
): Generator<undefined, readonly Version[]> {
  const versions: Version[] = []
  let after: Omit<Version, 'changes'> | undefined
  for (const [written, text] of rows) {
    const state = { revision: Number(written), data: parseRecord(text ?? '{}') }
    if (after !== undefined) {
      const isNext = state.revision === after.revision - 1
      versions.push({
        ...after,
        changes: isNext ? differenceOf(state.data, after.data) : undefined,
      })
    }
    after = state
    yield
  }
  if (after !== undefined && versions.length < limit)
    versions.push({ ...after, changes: undefined })
  return versions
}

/**
 * One state of a record.
 * @throws AppError HUB-RTE-003 when it is not kept, or not to be seen
 */
export async function loadVersion(
  database: Queryable,
  wanted: Wanted & { readonly revision: number },
  caller: Caller,
): Promise<Members> {
  const { entity, id, revision } = wanted
  const [row] = await database.texts(sql`
    select data from ${statesOf(wanted, caller)}
    where revision = ${revision}::integer`)
  if (row !== undefined) return parseRecord(row[0] ?? '{}')
  throw new AppError(
    'HUB-RTE-003',
    `There is no revision ${String(revision)} of ${entity.name} ${JSON.stringify(id)}.`,
    { hint: `GET /v1/${entity.path}/{id}/History lists those that are kept.` },
  )
}

/** For pages behind the last one, which hold no row that could tell. */
async function countStates(database: Queryable, wanted: Wanted, caller: Caller): Promise<number> {
  const [row] = await database.texts(sql`select count(*) from ${statesOf(wanted, caller)}`)
  return Number(row?.[0] ?? 0)
}

/** The states of a record that may be seen by someone who may see what it is now. */
function statesOf({ entity, id }: Wanted, { visibility }: Caller): Sql {
  const mayBeSeen = visible(visibility, 'content', {
    closed: sql`coalesce(content_flag(data #> '{LicenseInfo,ClosedData}'), false)`,
    origin: sql`(data #>> '{_Meta,Source}')`,
    type: sql`${entity.name}::text`,
  })
  const present = sql`${tableOf(entity)} where ${all([sql`id = ${id}`, isVisible(entity, visibility)])}`
  return sql`(
    select * from (
      select revision, data from content_version where entity = ${entity.type} and id = ${id}
      union all
      select content_revision(${entity.type}, ${id}), data from ${present}
    ) as kept
    where exists (select from ${present}) and ${mayBeSeen}) as states`
}
