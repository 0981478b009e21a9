import { anonymous } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { listOf, parseObject, textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import { datasetVersion } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { needsToken } from './entity-types.ts'
import type { Entity, Profile } from './entity.ts'
import { formatsOf } from './formats/index.ts'
import { toLinkedData } from './formats/json-ld.ts'
import { linkOf } from './formats/json-ld/parts.ts'
import type { LinkedNode } from './formats/json-ld/parts.ts'
import { selectRecord } from './item.ts'
import type { Representation } from './representation.ts'
import { isVisible, itemAddress, lastModified, tableOf, toEntityId } from './table.ts'

/** A record as anyone may read it, for a web page about it. */
export type PublicRecord = {
  /** The stored spelling; requests may differ in letter case. */
  readonly id: string
  /** Linked data of schema.org, without its context. */
  readonly nodes: readonly LinkedNode[]
  /** URL of the first picture whose licence allows showing it anywhere. */
  readonly image: string | undefined
  readonly forms: readonly { readonly mediaType: string; readonly address: string }[]
}

/** An entry in the list of all records. `changed` is in ISO 8601. */
export type ListedRecord = { readonly id: string; readonly changed: string | undefined }

type RecordRequest = {
  readonly type: string
  readonly id: string
  readonly language: string | undefined
}

/** A range of an entity's records, sorted by identifier. */
type Section = { readonly type: string; readonly skip: number; readonly count: number }

/** Access to the content records that anyone may read, independent of who sends the request. */
export type PublicRecords = {
  /** @returns undefined for a record that does not exist or that not everyone may see (D34) */
  readonly load: (request: RecordRequest) => Promise<PublicRecord | undefined>
  /**
   * Lists records in batches with one statement each, so that memory stays flat and no connection
   * is held between them.
   */
  readonly list: (section: Section) => AsyncGenerator<readonly ListedRecord[], void>
  /** Identifies the state of everything that a list shows. */
  readonly version: (type: string) => Promise<string>
}

type Deps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly profile: Profile
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
}

/** Returns access to the public records. Entities that require a token for reading have none. */
export function publicRecords(deps: Deps): PublicRecords {
  const { database, profile, visibilityOf } = deps
  const open = new Map(
    deps.entities
      .filter((entity) => !needsToken(entity, profile))
      .map((entity) => [entity.name, entity]),
  )
  const guest = () => visibilityOf(anonymous)
  return {
    load: async ({ type, ...request }) => {
      const entity = open.get(type)
      return entity === undefined ? undefined : loadRecord(deps, { entity, ...request })
    },
    list: ({ type, ...section }) =>
      listRecords(database, { entity: open.get(type), ...section, guest }),
    version: async (type) => JSON.stringify([await datasetVersion(database, type), type, guest()]),
  }
}

type EntityRecordRequest = Omit<RecordRequest, 'type'> & { readonly entity: Entity }

async function loadRecord(
  { database, publicUrl, visibilityOf }: Deps,
  { entity, id: requested, language }: EntityRecordRequest,
): Promise<PublicRecord | undefined> {
  const representation: Representation = {
    ...{ language, fields: [], selectedBy: 'hub' as const, removeNullValues: false },
  }
  const reduced = entity.closedFields.length > 0
  const id = toEntityId(entity, requested)
  const statement = selectRecord({ entity, reduced, representation }, id, visibilityOf(anonymous))
  const [row] = await database.texts(statement)
  const [stored, data] = row ?? []
  if (typeof stored !== 'string' || typeof data !== 'string') return undefined
  const addressOf = (one: string) => itemAddress(publicUrl, entity, one)
  const context = { entity, representation, reduced, addressOf, bom: false }
  return {
    id: stored,
    nodes: toLinkedData({ id: stored, data }, context),
    image: freeImageOf(parseObject(data)),
    forms: formatsOf(entity, 'item')
      .filter(({ reads }) => reads === 'record')
      .map(({ name, mediaTypes: [mediaType] }, index) => ({
        mediaType,
        address: index === 0 ? addressOf(stored) : `${addressOf(stored)}?format=${name}`,
      })),
  }
}

/**
 * Licences of pictures that may be shown without their record, as previews of links do: CC0 or CC
 * BY, in any version.
 */
const free = /^cc(0|[- ]by)([- ]\d\.\d)?$/i

function freeImageOf(record: Members): string | undefined {
  return listOf(record['ImageGallery'])
    .filter(({ License }) => free.test(textOf(License) ?? ''))
    .flatMap(({ ImageUrl }) => linkOf(textOf(ImageUrl)) ?? [])[0]
}

/** Records per statement. */
const batch = 1000

type Listing = Omit<Section, 'type'> & {
  readonly entity: Entity | undefined
  readonly guest: () => Visibility
}

async function* listRecords(database: Queryable, { entity, skip, count, guest }: Listing) {
  if (entity === undefined) return
  let last: string | undefined
  for (let left = count; left > 0; left -= batch) {
    const behind = last === undefined ? sql`true` : sql`id > ${last}`
    const rows = await database.texts(sql`
      select id, ${lastModified} from ${tableOf(entity)}
      where ${isVisible(entity, guest())} and ${behind}
      order by id
      offset ${last === undefined ? skip : 0} limit ${Math.min(left, batch)}`)
    const records = rows.flatMap(([id, changed]) =>
      typeof id === 'string' ? [{ id, changed: changed ?? undefined }] : [],
    )
    last = records.at(-1)?.id
    if (last === undefined) return
    yield records
  }
}
