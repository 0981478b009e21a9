import type { Entity } from '../../entity.ts'
import { has, isAbsent, isObject, objectsOf, tagIdsOf, textOf, textsOf } from './draft.ts'
import type { Draft, GeneratorFor, KnownTag, Lookups, Members } from './draft.ts'
import { addressOf } from './places.ts'

/** `Tags` from `TagIds` and the other way round (reference content.md 5.3). */
export const tags: GeneratorFor = (entity) => {
  if (!has(entity, 'Tags', 'TagIds')) return undefined
  return ({ record, give }, lookups) => {
    const ids = tagIdsOf(record)
    if (ids.length === 0) return
    give(['TagIds'], ids)
    if (isAbsent(record['Tags'])) {
      give(
        ['Tags'],
        ids.map((id) => toTag(id, lookups.tags.get(id))),
      )
    }
  }
}

function toTag(id: string, known: KnownTag | undefined): Members {
  const name = known && shortName(known.name)
  return {
    Id: id,
    ...(known?.source === undefined ? {} : { Source: known.source }),
    Self: addressOf('Tag', id),
    ...(known?.types[0] === undefined ? {} : { Type: known.types[0] }),
    ...(name === undefined ? {} : { Name: name }),
  }
}

/** A name for a place that has no language: English, otherwise what there is. */
function shortName(name: Members): string | undefined {
  return ['en', 'de', 'it', ...Object.keys(name)].flatMap((key) => textOf(name[key]) ?? [])[0]
}

/** The tags of a record with what is known of each. */
function knownTagsOf(record: Members, { tags: known }: Lookups): readonly KnownTag[] {
  return tagIdsOf(record).flatMap((id) => known.get(id) ?? [])
}

/** `SmgTags` and the links to them from `Tags` (interface 9.2, 9.3). */
export const hubTags: GeneratorFor = (entity) => {
  const { tags: links } = entity.naming
  if (!has(entity, 'SmgTags', links)) return undefined
  return ({ record, give }, lookups) => {
    const ids = tagIdsOf(record)
    if (isAbsent(record['SmgTags']) && isAbsent(record[links]) && ids.length > 0) {
      const forerunners = new Set(ids.flatMap((id) => forerunnersOf(id, lookups.tags.get(id))))
      if (forerunners.size > 0) give(['SmgTags'], [...forerunners])
    }
    if (!isAbsent(record[links])) return
    const named = textsOf(record['SmgTags'])
    if (named.length === 0) return
    give(
      [links],
      named.map((id) => ({ Id: id, Self: addressOf('Tag', id) })),
    )
  }
}

/** Tags of other systems have none in this one, unless they name it. */
function forerunnersOf(id: string, known: KnownTag | undefined): readonly string[] {
  if (known === undefined) return [id]
  if (known.forerunners.length > 0) return known.forerunners
  return known.source === 'lts' ? [] : [id]
}

/** `LTSTags`: the tags of the originating source (interface 2.3). */
export const sourceTags: GeneratorFor = (entity) => {
  if (!has(entity, 'LTSTags', 'Tags')) return undefined
  return ({ record, give }, lookups) => {
    if (!isAbsent(record['LTSTags'])) return
    const ofSource = knownTagsOf(record, lookups).filter(({ source }) => source === 'lts')
    if (ofSource.length === 0) return
    const toLink = ({ id, name, ltsRid }: KnownTag) => ({
      Id: id,
      ...(ltsRid === undefined ? {} : { LTSRID: ltsRid }),
      TagName: name,
      Self: addressOf('Tag', id),
    })
    give(['LTSTags'], ofSource.map(toLink))
  }
}

/** `AdditionalPoiInfos.<language>.Categories` from the names of the tags where the record brings none. */
export const categories: GeneratorFor = (entity) => {
  if (!has(entity, 'AdditionalPoiInfos', 'Tags')) return undefined
  return (draft, lookups) => {
    const infos = draft.record['AdditionalPoiInfos']
    const given = isObject(infos) ? objectsOf(Object.values(infos)) : []
    if (given.some(({ Categories }) => textsOf(Categories).length > 0)) return
    const shown = knownTagsOf(draft.record, lookups).filter(
      ({ isCategory }) => isCategory !== false,
    )
    giveCategories(draft, shown)
  }
}

function giveCategories({ give }: Draft, shown: readonly KnownTag[]): void {
  const languages = new Set(shown.flatMap(({ name }) => Object.keys(name)))
  for (const language of languages) {
    const names = shown.flatMap(({ name }) => textOf(name[language]) ?? [])
    if (names.length === 0) continue
    give(['AdditionalPoiInfos', language, 'Language'], language)
    give(['AdditionalPoiInfos', language, 'Categories'], names)
  }
}

/** Members of events that are tags now (interface 9.1). */
export const eventTags: GeneratorFor = (entity) => {
  if (!has(entity, 'TopicRIDs', 'Topics', 'ClassificationRID')) return undefined
  return ({ record, give }, lookups) => {
    const known = knownTagsOf(record, lookups)
    const of = (type: string) => known.filter(({ types }) => types.includes(type))
    const classification = isObject(record['EventProperty'])
      ? record['EventProperty']['EventClassificationId']
      : undefined
    give(['ClassificationRID'], classification ?? of('eventclassification')[0]?.id)
    const topics = of('eventcategory')
    if (topics.length === 0) return
    give(
      ['TopicRIDs'],
      topics.map(({ id }) => id),
    )
    give(
      ['Topics'],
      topics.map(({ id, name }) => ({
        TopicRID: id,
        TopicInfo: shortName(name) ?? id,
        Self: addressOf('Tag', id),
      })),
    )
  }
}

/** What a tag said of itself before (interface 9.3). */
export const tagOfOld: GeneratorFor = (entity) => {
  if (!has(entity, 'MainEntity', 'ValidForEntity', 'TagName')) return undefined
  return ({ record, give }) => {
    give(['MainEntity'], mainEntity(entity, textsOf(record['ValidForEntity'])))
    const { Mapping } = record
    const lts = isObject(Mapping) ? Mapping['lts'] : undefined
    if (!isObject(lts) || textOf(lts['rid']) === undefined) return
    const parent = textOf(lts['parentTagRid']) ?? textOf(lts['parent_id']) ?? null
    give(['LTSTaggingInfo'], { LTSRID: lts['rid'], ParentLTSRID: parent })
  }
}

/** `ValidForEntity` also holds tags under which a tag stands; those are not entities. */
function mainEntity({ naming }: Entity, names: readonly string[]): string | undefined {
  const types = new Set([...taggedTypes, naming.activityPoi.toLowerCase()])
  return names.find((name) => types.has(name)) ?? names[0]
}

/** Types of the records that tags are made for (reference content.md 6.1). */
const taggedTypes = [
  'accommodation',
  'accommodationroom',
  'event',
  'eventshort',
  'article',
  'venue',
  'webcam',
  'measuringpoint',
  'announcement',
  'region',
  'skiarea',
]
