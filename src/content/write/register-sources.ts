import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { source } from '../entities/source.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import type { StoredRecord } from './to-stored.ts'

type Write = { readonly entity: Pick<Entity, 'type'>; readonly received: Date }

/** What the hub itself registers says so, and goes on learning which types come from a source. */
export const registrar = 'hub'

const sources = source()

/**
 * The query for the sources of records that are to be registered (decision D29), so that the list of
 * sources has every value in use; mostly none.
 */
export function newSources({ type }: Pick<Entity, 'type'>, used: readonly string[]): Sql {
  return sql`
    select used from unnest(${used}::text[]) as used
    where not exists (
      select from ${tableOf(sources)}
      where id = used
        and (source is distinct from ${registrar} or data -> 'Types' ? ${type}::text))`
}

/** The sources that records name. That there are closed ones, nobody learns from here (decision D60). */
export function usedSources({ name }: Entity, stored: readonly StoredRecord[]): readonly string[] {
  const open = name === sources.name ? [] : stored.filter(({ data }) => !isClosed(data))
  const used = new Set(open.map(({ data }) => sourceOf(data)))
  return [...used].filter((source) => source !== '').sort()
}

/** Registers the source of what is shown as records but stored in another way: mobility events. */
export async function noteSource(
  tx: Transaction,
  { entity, source, received }: Write & { readonly source: string },
): Promise<void> {
  const rows = await tx.texts(newSources(entity, [source.toLowerCase()]))
  await registerSources(
    tx,
    { entity, received },
    rows.flatMap(([name]) => name ?? []),
  )
}

/** Registers sources. What an editor or a provider says of one stays as it is. */
export async function registerSources(
  tx: Transaction,
  { entity, received }: Write,
  news: readonly string[],
): Promise<void> {
  if (news.length === 0) return
  const saved = received.toISOString()
  const records = news.map((id) => toRecord({ id, type: entity.type, saved }))
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

function sourceOf({ _Meta: meta }: StoredRecord['data']): string {
  const value: unknown =
    typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'Source') : undefined
  return typeof value === 'string' ? value : ''
}

export function isClosed({ LicenseInfo: licence }: Readonly<Record<string, unknown>>): boolean {
  const closed: unknown =
    typeof licence === 'object' && licence !== null ? Reflect.get(licence, 'ClosedData') : undefined
  // As `content_flag` reads it (decision D66).
  return /^\s*(true|1)\s*$/i.test(String(closed))
}

type New = { readonly id: string; readonly type: string; readonly saved: string }

function toRecord({ id, type, saved }: New) {
  return {
    Id: id,
    Key: id,
    Shortname: id,
    Types: [type],
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
