import { isObject, objectsOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { toStoredId } from '../../table.ts'
import type { Entity } from '../../entity.ts'

/** What generated fields contain of a tag. */
export type KnownTag = {
  readonly id: string
  readonly name: Members
  readonly types: readonly string[]
  readonly source: string | undefined
  /** Its forerunners in the recommended system. */
  readonly forerunners: readonly string[]
  /** Unknown for tags that do not state it. */
  readonly isCategory: boolean | undefined
  readonly ltsRid: string | undefined
}

/** What is known of other records, read once for all records of a message. */
export type Lookups = {
  readonly tags: ReadonlyMap<string, KnownTag>
  /** Names of areas, by language. */
  readonly areas: ReadonlyMap<string, Members>
}

export const nothingKnown: Lookups = { tags: new Map(), areas: new Map() }

/** A record in the making: what the sender gave, and what the hub has added so far. */
export type Draft = {
  readonly record: Readonly<Record<string, unknown>>
  /**
   * Adds a field where the sender gave none: what a sender says is never contradicted. Null and a
   * missing field are the same, because most sources write null for what they do not know.
   * @param value undefined for nothing to say
   */
  readonly give: (path: readonly string[], value: unknown) => void
  /**
   * Adds a field to every object that stands at a path, through arrays.
   * @param name of the field that is added
   * @param change gives the very same object back for no change
   */
  readonly replace: (
    path: readonly string[],
    name: string,
    change: (holder: Members) => Members,
  ) => void
}

/** A draft of these fields, which are left as they are, and the paths of what is added. */
export function toDraft(members: Members): Draft & { readonly given: ReadonlySet<string> } {
  const record: Record<string, unknown> = { ...members }
  const given = new Set<string>()
  return {
    record,
    given,
    give: (path, value) => {
      if (value === undefined || value === null) return
      const changed = place(record, path, value)
      if (changed === undefined) return
      const begun = firstAbsent(record, path)
      const [name = ''] = path
      record[name] = changed[name]
      if (!isWithin(given, path)) given.add(path.slice(0, begun + 1).join('.'))
    },
    replace: (path, member, change) => {
      const [name = '', ...below] = path
      const changed = replaceAt(record[name], below, change)
      if (changed === record[name]) return
      record[name] = changed
      given.add([...path, member].join('.'))
    },
  }
}

/** The value with the objects at the path changed; the very same value where none is. */
function replaceAt(
  value: unknown,
  path: readonly string[],
  change: (holder: Members) => Members,
): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const changed = items.map((item) => replaceAt(item, path, change))
    return changed.some((item, index) => item !== items[index]) ? changed : value
  }
  if (!isObject(value)) return value
  const [name, ...below] = path
  if (name === undefined) return change(value)
  const inner = replaceAt(value[name], below, change)
  return inner === value[name] ? value : { ...value, [name]: inner }
}

/** The objects at a path, through arrays. */
export function holdersAt(value: unknown, path: readonly string[]): readonly Members[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersAt(item, path))
  if (!isObject(value)) return []
  const [name, ...below] = path
  return name === undefined ? [value] : holdersAt(value[name], below)
}

/** How deep the path leads to what is there: below, the hub begins objects of its own. */
function firstAbsent(record: Members, path: readonly string[]): number {
  let at: unknown = record
  return path.findIndex((name) => {
    at = isObject(at) ? at[name] : undefined
    return isAbsent(at)
  })
}

/** Whether the hub has made an object that the path leads through. */
function isWithin(given: ReadonlySet<string>, path: readonly string[]): boolean {
  return path.some((_name, index) => given.has(path.slice(0, index).join('.')))
}

/** The object with the value at the path; undefined where something stands there or in the way. */
function place(parent: Members, path: readonly string[], value: unknown): Members | undefined {
  const [name = '', ...below] = path
  const present = parent[name]
  if (below.length === 0) return isAbsent(present) ? { ...parent, [name]: value } : undefined
  if (!isAbsent(present) && !isObject(present)) return undefined
  const inner = place(isObject(present) ? present : {}, below, value)
  return inner && { ...parent, [name]: inner }
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** The texts of a list; nothing for anything that is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Each text of an object keyed by language, by its key; undefined when there is none. */
export function pickPerLanguage(value: unknown, name: string): Members | undefined {
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).flatMap(([language, entry]) => {
    const text = isObject(entry) ? textOf(entry[name]) : undefined
    return text === undefined ? [] : [[language, text] as const]
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

/** Adds fields to a draft that follow from others. */
export type Generator = (draft: Draft, lookups: Lookups) => void

/** A generator for the entities whose records have what it makes; undefined for all others. */
export type GeneratorFor = (entity: Entity) => Generator | undefined

export function has(entity: Entity, ...names: readonly string[]): boolean {
  return names.every((name) => name in entity.schema.properties)
}

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
  return isNamed ? tagIdsOf(record).map((id) => toStoredId(entity, id)) : []
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
