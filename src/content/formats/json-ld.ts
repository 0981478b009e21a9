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
import { toEvents, toShortEvents } from './json-ld/events.ts'
import { furtherDescribers, toArticle, toDataset, toHotel, toSkiResort } from './json-ld/records.ts'

type SourceItem = {
  readonly text: string
  /** Whether it has fields that only callers with a token may see (decision D34). */
  readonly isClosed: boolean
}

/**
 * Hides the escapes of source items from PostgreSQL. To cut out one item, PostgreSQL decodes the
 * escapes of all items, and it fails for characters that it cannot store, even if their item was
 * refused. Every escape is therefore replaced by another one followed by the identifier of the
 * message, which no sender can know, and restored in the item that is shown.
 */
const escape = '\\u'
const shield = '\\/'

/**
 * Loads the source items of records. The database cuts them out of their messages and keeps the
 * text of a `json` value as it was sent. A record has no source item if it was made up or written
 * manually, if its message is gone, or if a mapping split the message, which then need not be JSON.
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

/** Describes a record as linked data: as one node, as one for each date of an event, or as none. */
type Describer = (subject: Subject) => readonly LinkedNode[]

const single =
  (describe: (subject: Subject) => LinkedNode | undefined): Describer =>
  (subject) =>
    present(describe(subject))

const place = single((subject) => toNode('Place', thingOf(subject)))

/** Describers by the type of the entity (interface 9.5; otherwise the best match). */
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
  // The names of these types have the prefix of the deployment (decision D10).
  if (type.endsWith('activitypoi')) return single(toAttraction)
  if (type.endsWith('metadata')) return single(toDataset)
  return describers.get(type) ?? place
}

/** Describes a record as a restaurant if it is tagged as gastronomy, otherwise as an attraction. */
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

/**
 * Returns the facilities that are cuisines. They are recognized by name, because a list of codes
 * would be specific to one source.
 */
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
 * Linked data with the vocabulary of schema.org (interface 4.1, 9.5). A record is one node, an
 * event with several dates an array of nodes; a list is one graph.
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

/** Returns the nodes that describe a record, without their context. */
export function toLinkedData(
  { id, data }: LoadedRecord,
  context: AnswerContext,
): readonly LinkedNode[] {
  const describe = describerOf(context.entity)
  const { language } = context.representation
  return describe(toSubject(data, context.addressOf(id), language))
}
