import { sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { source } from '../entities/source.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import type { StoredRecord } from './to-stored.ts'

type Write = { readonly entity: Entity; readonly received: Date }

/** What the hub itself registers says so, and goes on learning which types come from a source. */
export const registrar = 'hub'

const sources = source()

/**
 * Registers the sources of records that nobody has registered (decision D29), so that the list of
 * sources has every value in use. What an editor or a provider says of a source stays as it is.
 */
export async function registerSources(
  tx: Transaction,
  { entity, received }: Write,
  stored: readonly StoredRecord[],
): Promise<void> {
  if (entity.name === sources.name) return
  const news = await findNews(tx, entity, stored)
  if (news.length === 0) return
  const saved = received.toISOString()
  const records = news.map(({ id, shown }) =>
    toRecord({ id, types: shown ? [entity.type] : [], saved }),
  )
  const rows = await tx.texts(sql`
    insert into ${tableOf(sources)} as known (id, data, received)
    select data ->> 'Id', data, ${saved}::timestamptz
    from (
      select written::jsonb as data
      from unnest(${records.map((record) => JSON.stringify(record))}::text[]) as written) as sent
    on conflict (id) do update
      set data = jsonb_set(known.data, '{Types}',
        coalesce(known.data -> 'Types', '[]') || (excluded.data -> 'Types'))
      where known.source = ${registrar}
        and not coalesce(known.data -> 'Types', '[]') @> (excluded.data -> 'Types')
    returning id`)
  const ids = rows.map(([id]) => id ?? '')
  await recordChanges(tx, { area: 'content', dataset: sources.name, kind: 'upsert', ids })
}

/** A source, and whether any of its records is open: only such tell which types come from it (D60). */
type Used = { readonly id: string; readonly shown: boolean }

/** The sources that are to be registered; mostly none, and an upsert would lock those that are known. */
async function findNews(
  tx: Transaction,
  { type }: Entity,
  stored: readonly StoredRecord[],
): Promise<readonly Used[]> {
  const shown = new Set(
    stored.filter(({ data }) => !isClosed(data)).map(({ data }) => sourceOf(data)),
  )
  const used = [...new Set(stored.map(({ data }) => sourceOf(data)))].sort()
  return tx.query<Used>(sql`
    select id, shown from unnest(${used}::text[], ${used.map((one) => shown.has(one))}::boolean[])
      as sent (id, shown)
    where id <> '' and not exists (
      select from ${tableOf(sources)} as known
      where known.id = sent.id
        and (not shown or source is distinct from ${registrar}
          or data -> 'Types' ? ${type}::text))`)
}

function sourceOf({ _Meta: meta }: StoredRecord['data']): string {
  const value: unknown =
    typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'Source') : undefined
  return typeof value === 'string' ? value : ''
}

function isClosed({ LicenseInfo: licence }: StoredRecord['data']): boolean {
  return (
    typeof licence === 'object' && licence !== null && Reflect.get(licence, 'ClosedData') === true
  )
}

type New = { readonly id: string; readonly types: readonly string[]; readonly saved: string }

function toRecord({ id, types, saved }: New) {
  return {
    Id: id,
    Key: id,
    Shortname: id,
    Types: types,
    HasLanguage: [],
    FirstImport: saved,
    LastChange: saved,
    _Meta: {
      Id: id,
      Type: sources.type,
      Source: registrar,
      LastUpdate: saved,
      LastChange: saved,
      Reduced: false,
    },
  }
}
