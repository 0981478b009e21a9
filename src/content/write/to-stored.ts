import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { withGenerated, withoutGenerated } from './generated/index.ts'
import type { Lookups } from './generated/index.ts'
import { hasLanguage } from './has-language.ts'
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
