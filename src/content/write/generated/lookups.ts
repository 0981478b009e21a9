import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import type { Entity } from '../../entity.ts'
import { isObject, objectsOf, textOf, textsOf } from './draft.ts'
import type { Members } from './draft.ts'
import { has } from './generator.ts'
import { nothingKnown } from './known.ts'
import type { KnownTag, Lookups } from './known.ts'

/**
 * The open tags and areas that some records name. What a closed one is called would be copied into
 * records that everybody reads.
 */
export async function loadLookups(
  tx: Transaction,
  entity: Entity,
  records: readonly Members[],
): Promise<Lookups> {
  const tags = has(entity, 'Tags') ? new Set(records.flatMap(tagIdsOf)) : new Set<string>()
  const areas = has(entity, 'LocationInfo', 'AreaIds')
    ? new Set(records.flatMap(({ AreaIds }) => textsOf(AreaIds).slice(0, 1)))
    : new Set<string>()
  return {
    tags: tags.size === 0 ? nothingKnown.tags : await loadTags(tx, entity, [...tags]),
    areas: areas.size === 0 ? nothingKnown.areas : await loadAreas(tx, [...areas]),
  }
}

export function tagIdsOf({ TagIds, Tags }: Members): readonly string[] {
  const ids = textsOf(TagIds)
  return ids.length > 0 ? ids : objectsOf(Tags).flatMap(({ Id }) => textOf(Id) ?? [])
}

/**
 * Identifiers of records of the same entity that are looked up when a record is stored: a tag that names
 * tags gets their names. Those must not be stored by the same statements.
 */
export function siblingsOf(entity: Entity, record: Members): readonly string[] {
  const isNamed = entity.name === 'Tag' && has(entity, 'Tags')
  return isNamed ? tagIdsOf(record) : []
}

async function loadTags(tx: Transaction, { naming }: Entity, ids: readonly string[]) {
  const rows = await tx.texts(sql`
    select id, jsonb_build_object(
      'name', data -> 'TagName',
      'types', data -> 'Types',
      'source', source,
      'forerunners', data -> ${naming.tagIds}::text,
      'isCategory', data -> 'DisplayAsCategory',
      'ltsRid', coalesce(data #> '{LTSTaggingInfo,LTSRID}', data #> '{Mapping,lts,rid}')) as tag
    from content.tag
    where id = any(${ids}::text[]) and not closed`)
  return new Map(rows.map(([id, tag]) => [id ?? '', toKnownTag(id ?? '', parsed(tag))]))
}

function toKnownTag(id: string, read: unknown): KnownTag {
  const tag = isObject(read) ? read : {}
  const { isCategory } = tag
  return {
    id,
    name: isObject(tag['name']) ? tag['name'] : {},
    types: textsOf(tag['types']),
    source: textOf(tag['source']),
    forerunners: textsOf(tag['forerunners']),
    isCategory: typeof isCategory === 'boolean' ? isCategory : undefined,
    ltsRid: textOf(tag['ltsRid']),
  }
}

async function loadAreas(tx: Transaction, ids: readonly string[]) {
  const rows = await tx.texts(sql`
    select id, data -> 'Detail' as detail from content.area
    where id = any(${ids.map((id) => id.toUpperCase())}::text[]) and not closed`)
  return new Map(rows.map(([id, detail]) => [id ?? '', namesOf(parsed(detail))]))
}

/** The database gives JSON as text. */
function parsed(text: string | null | undefined): unknown {
  return JSON.parse(text ?? 'null')
}

function namesOf(detail: unknown): Members {
  if (!isObject(detail)) return {}
  return Object.fromEntries(
    Object.entries(detail).map(([language, entry]) => [
      language,
      isObject(entry) ? (entry['Title'] ?? null) : null,
    ]),
  )
}
