import { fieldsOf, listOf, textOf, textsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { defineFormat, separated } from './format.ts'
import type { LoadedRecord, AnswerContext } from './format.ts'
import {
  entryOf,
  languagesOf,
  openingHoursOf,
  present,
  thingOf,
  toNode,
  toSubject,
} from './json-ld/parts.ts'
import type { LinkedNode, Subject } from './json-ld/parts.ts'
import {
  furtherDescribers,
  toArticle,
  toDataset,
  toEvents,
  toHotel,
  toShortEvents,
  toSkiResort,
} from './json-ld/records.ts'

type SourceItem = {
  readonly text: string
  /** Whether it holds fields that only callers with a token may see (decision D34). */
  readonly isClosed: boolean
}

/**
 * PostgreSQL reads the escapes of all items to cut one out, and fails at those that stand for what it
 * cannot store, although such an item was refused. So all are hidden behind another escape and the
 * identifier of the message, which no sender can know, and restored in the item that is shown.
 */
const escape = '\\u'
const shield = '\\/'

/**
 * The source items of records, cut out of their messages by the database, which keeps the text of a
 * `json` value as it came. A record without one is missing: made up, written manually, of a message that is
 * gone, or of one that a mapping took apart, which need not be JSON.
 */
export async function loadOrigins(
  database: Queryable,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceItem>> {
  const rows = await database.texts(sql`
    with wanted as (
      select id, message, line, item from content_origin
      where entity = ${entity.type} and id = any(${ids}::text[]) and mapping is null
    ), object as (
      select place.message, place.line,
        replace(
          case when place.line is null then message_text(message.body)
            else split_part(message_text(message.body), chr(10), place.line) end,
          ${escape}::text, ${shield}::text || place.message)::json as value
      from (select distinct message, line from wanted) as place
      join message on message.id = place.message
    ), source as (
      select wanted.id, replace(item.value::text, ${shield}::text || wanted.message, ${escape}::text) as text
      from object
      cross join lateral json_array_elements(object.value -> 'items')
        with ordinality as item (value, number)
      join wanted on wanted.message = object.message
        and wanted.line is not distinct from object.line
        and wanted.item = item.number - 1
    )
    select id, text, text::jsonb ?| ${entity.closedFields}::text[] from source`)
  return new Map(
    rows.flatMap(([id, text, isClosed]) =>
      typeof id === 'string' && typeof text === 'string'
        ? [[id, { text, isClosed: isClosed === 't' }] as const]
        : [],
    ),
  )
}

/** Tells a record in linked data: mostly one node, for an event one for each date, or none. */
type Describer = (subject: Subject) => readonly LinkedNode[]

const single =
  (describe: (subject: Subject) => LinkedNode | undefined): Describer =>
  (subject) =>
    present(describe(subject))

const place = single((subject) => toNode('Place', thingOf(subject)))

/** The type of linked data of each entity (interface 9.5; otherwise the best match), by the identifiers of their types. */
const describers: ReadonlyMap<string, Describer> = new Map([
  ['accommodation', single(toHotel)],
  ['event', toEvents],
  ['eventshort', toShortEvents],
  ['article', single(toArticle)],
  ['skiarea', single(toSkiResort)],
  ['skiregion', single(toSkiResort)],
  ['region', place],
  ['metaregion', place],
  ['experiencearea', place],
  ['tourismassociation', place],
  ['municipality', place],
  ['district', place],
  ['area', place],
  ['venue', place],
  ...Object.entries(furtherDescribers).map(([type, describe]) => [type, single(describe)] as const),
])

function describerOf({ type }: Entity): Describer {
  // Their names carry the prefix of the deployment (decision D10).
  if (type.endsWith('activitypoi')) return single(toAttraction)
  if (type.endsWith('metadata')) return single(toDataset)
  return describers.get(type) ?? place
}

/** A restaurant where the record is tagged as gastronomy, otherwise an attraction. */
function toAttraction(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  const openingHours = { openingHoursSpecification: openingHoursOf(record) }
  if (!isGastronomy(record)) {
    return toNode('TouristAttraction', {
      ...thingOf(subject),
      ...openingHours,
      availableLanguage: languagesOf(record),
    })
  }
  return toNode('Restaurant', {
    ...thingOf(subject),
    ...openingHours,
    founder: founderOf(subject),
    servesCuisine: cuisinesOf(record),
  })
}

function isGastronomy(record: Members): boolean {
  const tags = [record['SmgTags'], record['TagIds']].flatMap(textsOf)
  return tags.some((tag) => tag.toLowerCase() === 'gastronomy')
}

function founderOf(subject: Subject): LinkedNode | undefined {
  const contact = entryOf(subject, subject.record['ContactInfos'])
  const names = [textOf(contact['Givenname']), textOf(contact['Surname'])]
  return toNode('Person', { name: names.filter((name) => name !== undefined).join(' ') })
}

/** Facilities, recognized by their names; a list of codes would belong to one source. */
function cuisinesOf(record: Members): readonly string[] {
  const properties = fieldsOf(
    fieldsOf(record['AdditionalProperties'])['GastronomyLtsDataProperties'],
  )
  return [properties['Facilities'], record['Facilities']]
    .flatMap(listOf)
    .flatMap(({ Shortname }) => textOf(Shortname) ?? [])
    .filter((name) => /cuisine|küche|cucina/i.test(name))
}

const vocabulary = 'https://schema.org'

/**
 * Linked data with the vocabulary of schema.org (interface 4.1, 9.5). A record is one node, an event with
 * several dates an array of them; a list is one graph.
 */
export const jsonLd = defineFormat({
  name: 'json-ld',
  mediaTypes: ['application/ld+json', 'application/ldjson'],
  summary: 'Linked data of schema.org',
  needsWhole: true,
  ignores: ['fields', 'removenullvalues', 'bom'],
  list: (listing) =>
    separated({
      begin: `{"@context":${JSON.stringify(vocabulary)},"@graph":[`,
      separator: ',',
      end: ']}',
      record: (record) => toLinkedData(record, listing).map((node) => JSON.stringify(node)),
    }),
  item: (record, context) => {
    const nodes = toLinkedData(record, context).map((node) => ({ '@context': vocabulary, ...node }))
    return JSON.stringify(nodes.length === 1 ? nodes[0] : nodes)
  },
})

/** The nodes that a record is told as, without their context. */
export function toLinkedData(
  { id, data }: LoadedRecord,
  context: AnswerContext,
): readonly LinkedNode[] {
  const describe = describerOf(context.entity)
  const { language } = context.representation
  return describe(toSubject(data, context.addressOf(id), language))
}
