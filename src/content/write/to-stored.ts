import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { languages } from '../representation/index.ts'
import { withGenerated, withoutGenerated } from './generated/index.ts'
import type { Lookups } from './generated/index.ts'
import { withoutMembers } from './without-members.ts'

/** A record as a sender gives it: checked against the schema of its entity. Some have numbers as Id. */
export type ContentRecord = Readonly<Record<string, unknown>> & { readonly Id: string | number }

type Saving = {
  /** When the hub got the record; the same message gives the same record whenever it is processed. */
  readonly received: Date
  /** Source of records that name none: the provider of the stream. */
  readonly provider: string
  /** What is known of the records that this one names, such as its tags. */
  readonly lookups?: Lookups
}

/** A record to store, and the identifier under which it is found. */
export type StoredRecord = { readonly id: string; readonly data: Readonly<Record<string, unknown>> }

/** What to store: the sender's members, and those that the hub generates on every save. */
export function toStored(entity: Entity, record: ContentRecord, saving: Saving): StoredRecord {
  const saved = saving.received.toISOString()
  const id = toEntityId(entity, String(record.Id))
  // `Self` depends on the address of the deployment and is added when a record is read.
  const members = withoutMembers(withoutGenerated(record), ['Self', ...entity.removedMembers])
  const { record: complete, paths } = withGenerated(entity, members, saving.lookups)
  const lastChange = typeof record['LastChange'] === 'string' ? record['LastChange'] : saved
  const data = {
    ...complete,
    Id: typeof record.Id === 'number' ? record.Id : id,
    HasLanguage: hasLanguage(members),
    LastChange: lastChange,
    _Meta: {
      ...withoutMembers(metaOf(record), ['Generated']),
      Id: id,
      Type: entity.type,
      Source: sourceOf(record) ?? saving.provider.toLowerCase(),
      LastUpdate: saved,
      LastChange: lastChange,
      Reduced: false,
      ...(paths.length === 0 ? {} : { Generated: paths }),
    },
  }
  return { id, data }
}

function metaOf(record: ContentRecord): object {
  const meta = record['_Meta']
  return typeof meta === 'object' && meta !== null ? meta : {}
}

/** Exactly one source per record, in lower case (interface 2.2, decision D29). */
export function sourceOf(record: ContentRecord): string | undefined {
  const { Source: fromMeta } = { Source: undefined, ...metaOf(record) }
  const source = [fromMeta, record['Source']].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof source === 'string' ? source.toLowerCase() : undefined
}

const codes = new Set<string>(languages)

/**
 * The languages in which a record says something: those whose entry in any member keyed by language
 * holds a text (reference content.md 3.4). Sorted, so that equal records have equal lists.
 */
export function hasLanguage(record: Readonly<Record<string, unknown>>): readonly string[] {
  const found = new Set<string>()
  for (const member of Object.values(record)) {
    if (!isKeyedByLanguage(member)) continue
    for (const [language, entry] of Object.entries(member)) {
      if (saysSomething(entry)) found.add(language)
    }
  }
  return [...found].sort()
}

function isKeyedByLanguage(member: unknown): member is object {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return false
  const names = Object.keys(member)
  return names.length > 0 && names.every((name) => codes.has(name))
}

/** `Language` only repeats the key, so an entry with nothing else says nothing. */
function saysSomething(entry: unknown): boolean {
  if (typeof entry === 'string') return entry.trim() !== ''
  if (typeof entry !== 'object' || entry === null) return false
  return Object.entries(entry).some(
    ([name, value]) => name !== 'Language' && typeof value === 'string' && value.trim() !== '',
  )
}
