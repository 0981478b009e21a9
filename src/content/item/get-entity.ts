import { AppError } from '../../errors/index.ts'
import { weakEtag } from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { itemAddress } from '../addresses.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import { dataOf } from '../list/load-page.ts'
import { isVisible } from '../list/plan.ts'
import type { Caller } from '../list/plan.ts'
import type { ItemParameters } from '../parameters.ts'
import { represent } from '../representation/index.ts'
import { tableOf } from '../table.ts'

type Deps = { readonly database: Queryable; readonly publicUrl: string }

type Wanted = { readonly entity: Entity; readonly id: string; readonly query: ItemParameters }

export type ItemAnswer = {
  readonly etag: string
  readonly lastModified: Date | undefined
  readonly body: string
}

/**
 * One record for a caller.
 * @throws AppError HUB-RTE-003 when there is none, or none that the caller may see (decision D34)
 */
export async function getEntity(deps: Deps, wanted: Wanted, caller: Caller): Promise<ItemAnswer> {
  const { entity, query } = wanted
  const representation = {
    language: query.language,
    fields: parseFields(query.fields ?? []),
    removeNullValues: query.removenullvalues,
  }
  const reduced = caller.isAnonymous && entity.closedMembers.length > 0
  const id = toEntityId(entity, wanted.id)
  const [row] = await deps.database.texts(sql`
    select id, ${dataOf({ entity, reduced })}, xmin, last_change
    from ${tableOf(entity)}
    where id = ${id} and ${isVisible(entity, caller.visibility)}`)
  if (row === undefined) throw noSuchRecord(entity, wanted.id)
  const [, data, revision, lastChange] = row
  return {
    etag: weakEtag([id, revision ?? '', JSON.stringify([representation, reduced])]),
    lastModified: typeof lastChange === 'string' ? new Date(lastChange) : undefined,
    body: represent(data ?? '{}', itemAddress(deps.publicUrl, entity, id), representation),
  }
}

function noSuchRecord(entity: Entity, id: string): AppError {
  return new AppError(
    'HUB-RTE-003',
    `There is no ${entity.name} with the id ${JSON.stringify(id)}.`,
  )
}
