import { AppError } from '../../errors/index.ts'
import { recordEtag } from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { itemAddress } from '../addresses.ts'
import { toEntityId } from '../entity.ts'
import type { Entity, Narrowing, Rewrite } from '../entity.ts'
import { fallback } from '../formats/index.ts'
import type { Choice, LoadedRecord } from '../formats/index.ts'
import { loadOrigins } from '../formats/load-origins.ts'
import { addMembers } from '../list/add-members.ts'
import { isVisibleIfPresent } from '../list/plan.ts'
import type { Caller } from '../list/plan.ts'
import { rewriteRecords } from '../list/rewrite.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { dataOf } from '../representation/index.ts'
import type { Representation } from '../representation/index.ts'
import { tableOf } from '../table.ts'

type Deps = { readonly database: Queryable; readonly publicUrl: string }

/** A record that is asked for, and how to answer it. */
export type Wanted = {
  readonly entity: Entity
  readonly id: string
  readonly representation: Representation
  readonly choice: Choice
  readonly bom: boolean
  /** What is made when the record is read, and the state that it is made of. */
  readonly made?: { readonly rewrite: Rewrite; readonly basis: string }
  /** What was found out about the record, which it is shown with. */
  readonly found?: readonly Pick<Narrowing, 'member' | 'basis'>[]
  /** How parameters want the record shown. */
  readonly rewrites?: readonly { readonly rewrite: Rewrite; readonly basis: string }[]
}

export type ItemAnswer = {
  readonly etag: string
  readonly lastModified: Date | undefined
  /** As wanted, or JSON where this very record has no such form. */
  readonly choice: Choice
  readonly body: string
}

/**
 * One record for a caller.
 * @throws AppError HUB-RTE-003 when there is none, or none that the caller may see (decision D34);
 *   HUB-RTE-007, HUB-ACC-001 when its source item is wanted and there is none to show
 */
export async function getEntity(deps: Deps, wanted: Wanted, caller: Caller): Promise<ItemAnswer> {
  const { entity, representation, choice } = wanted
  const reduced = caller.isAnonymous && entity.closedMembers.length > 0
  const id = toEntityId(entity, wanted.id)
  const [row] = await deps.database.texts(sql`
    select id, ${dataOf({ entity, reduced, representation })}, stored.xmin, last_change
    from (select ${id}::text as asked) as request left join ${tableOf(entity)} as stored on id = asked
    where ${isVisibleIfPresent(entity, caller.visibility)}`)
  if (typeof row?.[0] !== 'string') throw noSuchRecord(entity, wanted.id)
  const [, stored, revision, lastChange] = row
  const data =
    choice.format.reads === 'origin' ? await loadSource(deps, { entity, id, reduced }) : stored
  return {
    etag: recordEtag(
      [id, revision ?? ''],
      [JSON.stringify([representation, reduced, choice.mediaType, wanted.bom, basisOf(wanted)])],
    ),
    lastModified: typeof lastChange === 'string' ? new Date(lastChange) : undefined,
    ...write(
      deps,
      { ...wanted, isStrict: caller.isStrict },
      await complete(wanted, { id, data: data ?? '{}' }),
    ),
  }
}

function basisOf({ made, found = [], rewrites = [] }: Wanted): readonly (string | undefined)[] {
  return [made?.basis, ...[...found, ...rewrites].map(({ basis }) => basis)]
}

async function complete(
  { made, found = [], rewrites = [], choice }: Wanted,
  record: LoadedRecord,
): Promise<LoadedRecord> {
  const all = [...(made === undefined ? [] : [made]), ...rewrites].map(({ rewrite }) => rewrite)
  const [shown = record] = all.length === 0 ? [record] : await rewriteRecords(all, [record])
  if (choice.format.reads === 'origin') return shown
  const members = found.map(({ member }) => member)
  const [complete = shown] = await addMembers(members, [shown])
  return complete
}

type Written = Wanted & Pick<Caller, 'isStrict'>

/** @throws AppError HUB-QRY-003 under strict handling, for a form that this very record does not have */
function write({ publicUrl }: Deps, wanted: Written, record: LoadedRecord) {
  const { entity, choice, isStrict } = wanted
  const addressOf = (id: string) => itemAddress(publicUrl, entity, id)
  const occasion = { ...wanted, addressOf }
  const body = choice.format.item(record, occasion)
  if (body !== undefined) return { choice, body }
  if (isStrict) throw noSuchForm(entity, choice)
  return { choice: fallback, body: fallback.format.item(record, occasion) ?? record.data }
}

type Sourced = { readonly entity: Entity; readonly id: string; readonly reduced: boolean }

/** The source item, under the rules of its record: what the record hides, the source must not show. */
async function loadSource({ database }: Deps, { entity, id, reduced }: Sourced): Promise<string> {
  const source = (await loadOrigins(database, entity, [id])).get(id)
  if (source === undefined) {
    throw new AppError(
      'HUB-RTE-007',
      `The hub does not keep what ${entity.name} ${id} is made from.`,
      {
        hint: 'The record was not pushed or imported, or its message is no longer kept.',
      },
    )
  }
  if (!reduced || !source.isClosed) return source.text
  throw new AppError('HUB-ACC-001', 'This source item holds members that need a bearer token.', {
    headers: { 'www-authenticate': 'Bearer realm="hub"' },
    hint: `Members that need one: ${entity.closedMembers.join(', ')}. Or ask for the record as JSON.`,
  })
}

function noSuchForm({ name }: Entity, { format }: Choice): AppError {
  const detail = `This ${name} has no form in ${format.name}; it would be JSON.`
  const issue = { parameter: 'format', detail: 'is not there for this record', expected: ['json'] }
  return new AppError('HUB-QRY-003', detail, { issues: [issue] })
}
