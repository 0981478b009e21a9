import type { TSchema } from 'typebox'
import { isObject, numberOf, objectsOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { stepInto } from '../../schema-fields.ts'
import type { Entity } from '../../entity.ts'
import { has, holdersAt, isAbsent, tagIdsOf, textOf, textsOf } from './draft.ts'
import type { Draft, GeneratorFor, KnownTag, Lookups } from './draft.ts'

/**
 * Generates `GpsPoints` from `GpsInfo` (interface 9.3): the first position of each type, by type,
 * with coordinates if one of them has any.
 */
export const gpsPoints: GeneratorFor = (entity) => {
  if (!has(entity, 'GpsPoints', 'GpsInfo')) return undefined
  return ({ record, give }) => {
    if (!isAbsent(record['GpsPoints'])) return
    const points = new Map<string, Members>()
    const positions = objectsOf(record['GpsInfo'])
    for (const position of [...positions.filter(isPlaced), ...positions]) {
      const type = textOf(position['Gpstype']) ?? 'position'
      if (!points.has(type)) points.set(type, position)
    }
    if (points.size > 0) give(['GpsPoints'], Object.fromEntries(points))
  }
}

/** Reports whether a position has coordinates. GeoJSON ignores those without them, too. */
function isPlaced({ Latitude, Longitude }: Members): boolean {
  return numberOf(Latitude) !== undefined && numberOf(Longitude) !== undefined
}

const own = ['Gpstype', 'Latitude', 'Longitude', 'Altitude', 'AltitudeUnitofMeasure'] as const

/** Generates the position fields of the record itself from its main position (interface 9.1). */
export const ownPosition: GeneratorFor = (entity) => {
  if (!has(entity, ...own)) return undefined
  return ({ record, give }) => {
    // Half of one position and half of another would not be a position.
    if (!isAbsent(record['Latitude']) || !isAbsent(record['Longitude'])) return
    const position = mainPosition(record)
    if (typeof position?.['Latitude'] !== 'number' || typeof position['Longitude'] !== 'number') {
      return
    }
    for (const name of own) give([name], position[name])
  }
}

function mainPosition({ GpsInfo, Geo }: Members): Members | undefined {
  const named = isObject(Geo) ? objectsOf(Object.values(Geo)) : []
  const positions = [...objectsOf(GpsInfo), ...named].filter(isPlaced)
  return (
    positions.find((position) => position['Default'] === true) ??
    positions.find((position) => position['Gpstype'] === 'position') ??
    positions[0]
  )
}

/** A row of the deprecation table, as steps through a record. */
type Copy = {
  /** Path of the objects that hold both fields, through arrays. It ends in `*` for every key. */
  readonly parent: readonly string[]
  readonly to: string
  readonly from: readonly string[]
}

/** Generates copies of moved fields at their former paths, as stated in the deprecation table. */
export const copies: GeneratorFor = ({ schema, deprecations }) => {
  const rows = deprecations.flatMap(({ name, copyOf }) =>
    copyOf === undefined ? [] : [toCopy(schema, name, copyOf)],
  )
  if (rows.length === 0) return undefined
  return (draft) => {
    for (const row of rows) copy(draft, row)
  }
}

function copy(draft: Draft, { parent, to, from }: Copy): void {
  if (parent.length === 0) {
    if (isAbsent(draft.record[to])) draft.give([to], valueAt(draft.record, from))
    return
  }
  for (const path of expand(draft.record, parent)) {
    // In an array, a field of the sender cannot be distinguished from a generated one.
    if (holdersAt(draft.record, path).some((holder) => !isAbsent(holder[to]))) continue
    draft.replace(path, to, (holder) => {
      const value = valueAt(holder, from)
      return isAbsent(value) ? holder : { ...holder, [to]: value }
    })
  }
}

/** Returns the path once for each key of the record in place of a final `*`. */
function expand(record: Members, path: readonly string[]): readonly (readonly string[])[] {
  if (path.at(-1) !== '*') return [path]
  const above = path.slice(0, -1)
  return holdersAt(record, above).flatMap((keyed) =>
    Object.keys(keyed).map((key) => [...above, key]),
  )
}

function toCopy(schema: TSchema, name: string, copyOf: string): Copy {
  const to = name.split('.')
  const from = copyOf.split('.')
  const shared = to.findIndex((step, index) => step !== from[index] || index === to.length - 1)
  return {
    parent: withKeys(schema, to.slice(0, shared)),
    to: to.slice(shared).join('.'),
    from: from.slice(shared),
  }
}

/**
 * Returns the steps of a path of the deprecation table, which leaves out keys (languages and free
 * text).
 */
function withKeys(schema: TSchema, path: readonly string[]): readonly string[] {
  const steps: string[] = []
  let at: TSchema | undefined = schema
  for (const name of path) {
    const step: ReturnType<typeof stepInto> = at && stepInto(at, name)
    steps.push(name)
    at = step?.schema
  }
  // The contents of a keyed object are below its keys.
  return at !== undefined && stepInto(at, '*')?.isKey === true ? [...steps, '*'] : steps
}

function valueAt(record: Members, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), record)
}

/**
 * Returns the URL of a record relative to the origin of the hub, so that it is valid wherever the
 * hub is deployed.
 */
function addressOf(path: string, id: string): string {
  return `/v1/${path}/${encodeURIComponent(id)}`
}

type Link = {
  readonly member: string
  readonly from: string
  /**
   * Path of the linked records. Undefined for the activities, whose path depends on the
   * deployment's prefix.
   */
  readonly path?: string
}

/**
 * Fields with lists of links, and the fields with the identifiers from which they are made
 * (reference content.md 7.0).
 */
const lists: readonly Link[] = [
  { member: 'Areas', from: 'AreaIds', path: 'Area' },
  { member: 'Districts', from: 'DistrictIds', path: 'District' },
  { member: 'Municipalities', from: 'MunicipalityIds', path: 'Municipality' },
  { member: 'Regions', from: 'RegionIds', path: 'Region' },
  { member: 'TourismAssociations', from: 'TourismvereinIds', path: 'TourismAssociation' },
  { member: 'SkiAreas', from: 'SkiareaIds', path: 'SkiArea' },
  { member: 'SkiAreas', from: 'SkiAreaIds', path: 'SkiArea' },
  { member: 'VenueLink', from: 'VenueIds', path: 'Venue' },
  { member: 'AccoBoards', from: 'BoardIds', path: 'AccommodationTypes' },
  { member: 'AccoBadges', from: 'BadgeIds', path: 'AccommodationTypes' },
  { member: 'AccoThemes', from: 'ThemeIds', path: 'AccommodationTypes' },
  { member: 'AccoSpecialFeatures', from: 'SpecialFeaturesIds', path: 'AccommodationTypes' },
]

const singles: readonly Link[] = [
  { member: 'Region', from: 'RegionId', path: 'Region' },
  { member: 'Tourismassociation', from: 'TourismvereinId', path: 'TourismAssociation' },
  { member: 'Municipality', from: 'MunicipalityId', path: 'Municipality' },
  { member: 'SkiRegion', from: 'SkiRegionId', path: 'SkiRegion' },
  { member: 'SkiArea', from: 'SkiAreaID', path: 'SkiArea' },
  { member: 'AccoType', from: 'AccoTypeId', path: 'AccommodationTypes' },
  { member: 'AccoCategory', from: 'AccoCategoryId', path: 'AccommodationTypes' },
  { member: 'Company', from: 'CompanyId' },
]

/** Generates the links to other records, from their identifiers. */
export const links: GeneratorFor = (entity) => {
  const isOf = ({ member, from }: Link) => has(entity, member, from)
  const [many, one] = [lists.filter(isOf), singles.filter(isOf)]
  if (many.length + one.length === 0) return undefined
  const toLink = (id: string, path = entity.naming.activityPoi) => ({
    Id: id,
    Self: addressOf(path, id),
  })
  return ({ record, give }) => {
    for (const { member, from, path } of many) {
      const ids = isAbsent(record[member]) ? textsOf(record[from]) : []
      if (ids.length > 0)
        give(
          [member],
          ids.map((id) => toLink(id, path)),
        )
    }
    for (const { member, from, path } of one) {
      const id = textOf(record[from])
      if (id !== undefined) give([member], toLink(id, path))
    }
  }
}

/** Generates `AreaId` and `LocationInfo.AreaInfo` from `AreaIds` (interface 9.2, 9.3). */
export const areas: GeneratorFor = (entity) => {
  if (!has(entity, 'AreaIds')) return undefined
  const [hasOld, hasInfo] = [has(entity, 'AreaId'), has(entity, 'LocationInfo')]
  return ({ record, give }, lookups) => {
    const ids = textsOf(record['AreaIds'])
    const [first] = ids
    if (first === undefined) return
    if (hasOld) give(['AreaId'], ids)
    if (!hasInfo) return
    const name = lookups.areas.get(first.toUpperCase())
    const info = { Id: first, ...(name && { Name: name }), Self: addressOf('Area', first) }
    give(['LocationInfo', 'AreaInfo'], info)
  }
}

/** Generates `Tags` from `TagIds`, and the other way round (reference content.md 5.3). */
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

/**
 * Returns a name for a field without a language: in English, otherwise in any available language.
 */
function shortName(name: Members): string | undefined {
  return ['en', 'de', 'it', ...Object.keys(name)].flatMap((key) => textOf(name[key]) ?? [])[0]
}

function knownTagsOf(record: Members, { tags: known }: Lookups): readonly KnownTag[] {
  return tagIdsOf(record).flatMap((id) => known.get(id) ?? [])
}

/** Generates `SmgTags` and the links to them, from `Tags` (interface 9.2, 9.3). */
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

/**
 * Returns the predecessors of a tag in the recommended system. Tags of other systems have none,
 * unless they name it.
 */
function forerunnersOf(id: string, known: KnownTag | undefined): readonly string[] {
  if (known === undefined) return [id]
  if (known.forerunners.length > 0) return known.forerunners
  return known.source === 'lts' ? [] : [id]
}

/** Generates `LTSTags`: the tags of the originating source (interface 2.3). */
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

/**
 * Generates `AdditionalPoiInfos.<language>.Categories` from the names of the tags, if the record
 * has no categories.
 */
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
    const names = new Set(shown.flatMap(({ name }) => textOf(name[language]) ?? []))
    if (names.size === 0) continue
    give(['AdditionalPoiInfos', language, 'Language'], language)
    give(['AdditionalPoiInfos', language, 'Categories'], [...names])
  }
}

/** Generates the old fields of events that tags replace (interface 9.1). */
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

/** Generates the old fields of a tag (interface 9.3). */
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

/**
 * Returns the first entity in `ValidForEntity`, otherwise its first name. The list also contains
 * parent tags, which are not entities.
 */
function mainEntity({ naming }: Entity, names: readonly string[]): string | undefined {
  const types = new Set([...taggedTypes, naming.activityPoi.toLowerCase()])
  return names.find((name) => types.has(name)) ?? names[0]
}

/** Types of the records to which tags apply (reference content.md 6.1). */
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
