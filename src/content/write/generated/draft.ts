import { isObject, objectsOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { toStoredId } from '../../table.ts'
import type { Entity } from '../../entity.ts'

/** The properties of a tag that generated fields contain. */
export type KnownTag = {
  readonly id: string
  readonly name: Members
  readonly types: readonly string[]
  readonly source: string | undefined
  /** Identifiers of its predecessors in the recommended system. */
  readonly forerunners: readonly string[]
  /** Undefined for tags that do not state it. */
  readonly isCategory: boolean | undefined
  readonly ltsRid: string | undefined
}

/** Data of other records, read once for all records that are saved together. */
export type Lookups = {
  readonly tags: ReadonlyMap<string, KnownTag>
  /** Names of areas, by language. */
  readonly areas: ReadonlyMap<string, Members>
}

export const nothingKnown: Lookups = { tags: new Map(), areas: new Map() }

/** A record under construction: the sender's fields, and those that the hub has added so far. */
export type Draft = {
  readonly record: Readonly<Record<string, unknown>>
  /**
   * Adds a field unless the sender gave it: a sender's value is never replaced. Null counts as
   * missing, because most sources write null for what they do not have.
   * @param value undefined to add nothing
   */
  readonly give: (path: readonly string[], value: unknown) => void
  /**
   * Adds a field to every object at a path, through arrays.
   * @param name name of the field that is added
   * @param change returns the same object if nothing changes
   */
  readonly replace: (
    path: readonly string[],
    name: string,
    change: (holder: Members) => Members,
  ) => void
}

/**
 * Creates a draft of these fields, which are not modified, and collects the paths of added fields.
 */
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

/** Returns the value with the objects at the path changed, or the same value if nothing changes. */
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

/** Returns the objects at a path, through arrays. */
export function holdersAt(value: unknown, path: readonly string[]): readonly Members[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersAt(item, path))
  if (!isObject(value)) return []
  const [name, ...below] = path
  return name === undefined ? [value] : holdersAt(value[name], below)
}

/**
 * Returns the index of the first step of the path that is missing in the record. From there on, the
 * hub creates the objects.
 */
function firstAbsent(record: Members, path: readonly string[]): number {
  let at: unknown = record
  return path.findIndex((name) => {
    at = isObject(at) ? at[name] : undefined
    return isAbsent(at)
  })
}

/** Reports whether the path leads through an object that the hub has created. */
function isWithin(given: ReadonlySet<string>, path: readonly string[]): boolean {
  return path.some((_name, index) => given.has(path.slice(0, index).join('.')))
}

/**
 * Returns the object with the value at the path; undefined if another value is there or in the way.
 */
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

/** Returns the texts of a list; empty for anything that is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns one field of each entry of an object keyed by language, under the same keys; undefined if
 * there is none.
 */
export function pickPerLanguage(value: unknown, name: string): Members | undefined {
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).flatMap(([language, entry]) => {
    const text = isObject(entry) ? textOf(entry[name]) : undefined
    return text === undefined ? [] : [[language, text] as const]
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

/** Adds fields to a draft that are derived from others. */
export type Generator = (draft: Draft, lookups: Lookups) => void

/**
 * Returns the generator for an entity whose records have the generated fields; undefined for all
 * others.
 */
export type GeneratorFor = (entity: Entity) => Generator | undefined

export function has(entity: Entity, ...names: readonly string[]): boolean {
  return names.every((name) => name in entity.schema.properties)
}

/**
 * Loads the open tags and areas that some records name. The names of closed ones must not be copied
 * into records that everyone can read.
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
 * Returns the identifiers of records of the same entity that are looked up when a record is stored:
 * a tag that names other tags gets their names. Those must not be stored by the same statements.
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

/** Parses JSON, which the database returns as text. */
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
