import { tourismSchema } from './base.ts'
import { contacts, detail, images, links, schedule, typeLinks, videos } from './members/parts.ts'
import {
  distances,
  location,
  positions,
  positionsByType,
  ratings,
  routeFlags,
  routeMeasures,
  tracks,
} from './members/positions.ts'
import {
  anything,
  flag,
  integer,
  keyed,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'
import { defineEntity, filter } from '../entity.ts'
import type { Filter, GeneratedColumn } from '../entity.ts'
import { spellingsOf } from '../filters/every-list.ts'
import {
  columnFlag,
  flagFilter,
  identifierFilter,
  listFilter,
  listSchema,
  namedMaskFilter,
  rangeFilter,
  rejected,
  toItems,
} from '../filters/values.ts'
import type { Naming } from '../naming.ts'
import { flagAt, lowerSetOf, numberAt, textAt } from '../table.ts'
import { activities, maskCodes, pois, types } from '../type-lists/types.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** How a wheelchair user gets from the car to the charger; no source states units or forms. */
const parkingSpace = object({
  Flat: anything,
  Gradient: anything,
  LateralInclination: anything,
  Pavement: anything,
  Width: anything,
  Length: anything,
})

/** A charging station as surveyed on the spot. */
const electricCharging = object({
  Capacity: integer,
  State: text,
  PaymentInfo: text,
  AccessType: text,
  AccessTypeInfo: text,
  ChargingPistolTypes: texts,
  SurveyDate: moment,
  SurveyType: text,
  SurveyAnnotations: perLanguage(text),
  Covered: flag,
  Barrierfree: flag,
  CarParkingSpaceNextToEachOther: parkingSpace,
  CarParkingSpaceBehindEachOther: parkingSpace,
})

const code = { Id: text, Shortname: text, Self: text }

/** Kitchen and seats of a restaurant, a bar or an inn. */
const gastronomy = {
  MaxSeatingCapacity: integer,
  CategoryCodes: list(code),
  DishRates: list({ ...code, MinAmount: number, MaxAmount: number, CurrencyCode: text }),
  CapacityCeremony: list({ ...code, MaxSeatingCapacity: integer }),
  Facilities: list(code),
}

const activity = object({
  ...routeMeasures,
  ...routeFlags,
  Highlight: flag,
  Ratings: ratings,
  Exposition: texts,
  WayNumber: integer,
  Number: text,
  MountainBikePermitted: flag,
  LiftType: text,
  LiftCapacityType: text,
})

const museum = object({
  OpeningTimes: perLanguage(text),
  Entry: note(perLanguage(text), 'What entry costs'),
  Supporter: perLanguage(text),
})

const wineCompany = object({
  H1: perLanguage(text),
  H2: perLanguage(text),
  Quote: perLanguage(text),
  QuoteAuthor: perLanguage(text),
  OpeningtimesWineshop: perLanguage(text),
  OpeningtimesGuides: perLanguage(text),
  OpeningtimesGastronomie: perLanguage(text),
  CompanyHoliday: perLanguage(text),
  Wines: texts,
  HasVisits: flag,
  HasOvernights: flag,
  HasAccommodation: flag,
  HasBiowine: flag,
  HasOnlineshop: flag,
  HasDeliveryservice: flag,
  HasDirectSales: flag,
  IsWinery: flag,
  IsVinumHotel: flag,
  IsAnteprima: flag,
  IsWineStories: flag,
  IsWineSummit: flag,
  IsSparklingWineassociation: flag,
  IsSkyalpsPartner: flag,
  OnlineShopurl: perLanguage(text),
  DeliveryServiceUrl: perLanguage(text),
  H1SparklingWineproducer: perLanguage(text),
  H2SparklingWineproducer: perLanguage(text),
  DescriptionSparklingWineproducer: perLanguage(text),
  ImageSparklingWineproducer: text,
  SocialsFacebook: text,
  SocialsInstagram: text,
  SocialsLinkedIn: text,
  SocialsPinterest: text,
  SocialsTiktok: text,
  SocialsTwitter: text,
  SocialsYoutube: text,
})

/** What only one provider knows about its points of interest (interface 9.4, content.md 7.3). */
const additionalProperties = object({
  PoiAgeDataProperties: object({ AgeFrom: integer, AgeTo: integer }),
  PoiLtsDataProperties: object({ IsOpen: flag, HasFreeEntrance: flag }),
  ActivityLtsDataProperties: activity,
  GastronomyLtsDataProperties: object(gastronomy),
  SiagMuseumDataProperties: museum,
  SuedtirolWeinCompanyDataProperties: wineCompany,
  StaVendingPointsDataProperties: note(keyed(anything), 'Services of a ticket office, as flags'),
  EchargingDataProperties: electricCharging,
  RoadIncidentProperties: keyed(anything),
  UrbanGreenProperties: object({ Taxonomy: anything }),
})

const additionalPoiInfos = object({
  Language: text,
  Novelty: text,
  Categories: note(texts, 'Display-ready names of the categories'),
  MainType: text,
  SubType: text,
  PoiType: text,
})

const additionalContact = list({ Type: text, ContactInfos: keyed(anything), Description: anything })

const tagOfSource = list({
  Id: text,
  LTSRID: text,
  Level: integer,
  TagName: perLanguage(text),
  LTSTins: list({ Id: text, LTSRID: text, TinName: perLanguage(text) }),
  Self: text,
})

/** Fields to be removed, and their replacements (interface 9.2). */
const deprecatedMembers = (naming: Naming) => ({
  Type: text,
  SubType: text,
  PoiType: text,
  [naming.activityPoiTypes]: typeLinks,
  LTSTags: tagOfSource,
  SmgId: text,
  CustomId: text,
  OwnerRid: text,
  ChildPoiIds: texts,
  MasterPoiIds: texts,
  OutdooractiveID: text,
  OutdooractiveElevationID: text,
  AreaId: texts,
  GpsPoints: positionsByType,
  Difficulty: note(text, '1 easy to 6 hard'),
  Highlight: flag,
  PoiServices: texts,
  PoiProperty: perLanguage(list({ Name: text, Value: text })),
  SyncSourceInterface: text,
  SyncUpdateMode: text,
  ...gastronomy,
})

/** Activities, points of interest and gastronomy (interface 2.3). */
export const activityPoi = (naming: Naming) =>
  defineEntity({
    name: naming.activityPoi,
    summary: 'Activities, points of interest and gastronomy',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: activityPoiColumns,
    filters: activityPoiFilters(naming),
    schema: tourismSchema(naming, naming.activityPoi, {
      Detail: detail,
      AdditionalPoiInfos: perLanguage(additionalPoiInfos),
      ContactInfos: contacts,
      AdditionalContact: note(
        keyed(additionalContact),
        'Further contacts, keyed by what they are for',
      ),
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      GpsTrack: tracks,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: text,
      TourismorganizationId: note(text, 'Tourism association'),
      AreaIds: texts,
      Areas: links,
      OperationSchedule: schedule,
      ...routeMeasures,
      ...routeFlags,
      Ratings: ratings,
      Exposition: note(texts, 'Points of the compass that the slope faces'),
      WayNumber: integer,
      Number: text,
      AgeFrom: note(integer, 'Years'),
      AgeTo: note(integer, 'Years'),
      CopyrightChecked: flag,
      AdditionalProperties: additionalProperties,
      ...deprecatedMembers(naming),
    }),
  })

const gastronomyAt = 'AdditionalProperties.GastronomyLtsDataProperties'
const codesOf = (member: string): GeneratedColumn => ({
  ...lowerSetOf(`${member}.Id`, `${gastronomyAt}.${member}.Id`),
  index: 'none',
})

/** What the filters of activities and points of interest compare. */
const activityPoiColumns: Readonly<Record<string, GeneratedColumn>> = {
  highlight: flagAt(['Highlight']),
  difficulty: {
    type: 'text',
    expression: sql`coalesce(${textAt('Difficulty')}, ${textAt('Ratings', 'Difficulty')})`,
    index: 'none',
  },
  length: numberAt('DistanceLength'),
  climb: numberAt('AltitudeDifference'),
  duration: numberAt('DistanceDuration'),
  category_codes: codesOf('CategoryCodes'),
  dish_codes: codesOf('DishRates'),
  ceremony_codes: codesOf('CapacityCeremony'),
  facility_codes: codesOf('Facilities'),
}

const lower = (text: string) => text.toLowerCase()

const tagged = (tags: readonly string[]) => sql`hub_tags && ${tags}::text[]`

const kinds: readonly Filter[] = [
  namedMaskFilter({
    name: 'type',
    description: 'Main types, any of them',
    codes: maskCodes(types),
    toCode: lower,
    condition: tagged,
  }),
  namedMaskFilter({
    name: 'activitytype',
    description: 'Types of activities, any of them',
    codes: maskCodes(activities),
    toCode: lower,
    condition: tagged,
  }),
  namedMaskFilter({
    name: 'poitype',
    description: 'Types of points of interest, any of them',
    codes: maskCodes(pois),
    toCode: lower,
    condition: tagged,
  }),
  namedFilter('subtype', 'Second level of types by name, any of them'),
  namedFilter('level3type', 'Third level of types by name, any of them'),
]

/** What the bits of a number mean depends on the level above, so only names are taken. */
function namedFilter(name: string, description: string): Filter {
  return filter({
    name,
    schema: listSchema(description),
    examples: { good: ['Wandern', 'museen,burgen'], bad: ['12', ',', 'wandern,3'] },
    read: (written) => {
      const items = toItems(written).map(lower)
      if (items.length === 0 || items.some((item) => /^[\d.+-]+$/.test(item))) {
        const expected = ['comma-separated names of types; see their tags in /v1/Tag']
        throw rejected({ parameter: name, detail: 'is not a list of names', expected })
      }
      return { text: items.join(','), condition: tagged(items) }
    },
  })
}

/** Codes of gastronomy, by identifier. */
const codeFilter = (name: string, what: string, column: Sql): Filter =>
  identifierFilter({
    name,
    description: `${what}, by identifier; any of them`,
    example: 'b0bdc4c4',
    toItem: lower,
    condition: (items) => sql`${column} && ${items}::text[]`,
  })

/** 1 easy, 2 medium, 3 hard, of the six degrees that records know. */
const degrees = new Map([
  ['1', ['1', '2']],
  ['2', ['3', '4']],
  ['3', ['5', '6']],
])

const difficulty = filter({
  name: 'difficultyfilter',
  schema: listSchema('Difficulties, any of them: 1 easy, 2 medium, 3 hard'),
  examples: { good: ['1', '1,3'], bad: ['4', '0', 'easy', ','] },
  read: (written) => {
    const items = toItems(written)
    const wanted = items.flatMap((item) => degrees.get(item) ?? [])
    if (wanted.length < items.length * 2 || items.length === 0) {
      const expected = ['1 easy', '2 medium', '3 hard']
      throw rejected({ parameter: 'difficultyfilter', detail: 'has an unknown degree', expected })
    }
    return { text: items.join(','), condition: sql`difficulty = any(${wanted}::text[])` }
  },
})

const hasImage = flagFilter({
  name: 'hasimage',
  description: 'Whether the record has a gallery',
  condition: (wanted) =>
    wanted
      ? sql`coalesce(jsonb_typeof(data -> 'ImageGallery'), 'null') <> 'null'`
      : sql`coalesce(jsonb_typeof(data -> 'ImageGallery'), 'null') = 'null'`,
})

/** The filters of the list of activities and points of interest (reference content.md 1.2). */
const activityPoiFilters = ({ tagFilter }: Naming): readonly Filter[] => [
  ...kinds,
  listFilter({
    name: `${tagFilter}_and`,
    aliases: spellingsOf(`${tagFilter}_and`, 'tagfilter_and'),
    description: 'Tags of the recommended system, all of them; case-insensitive',
    example: 'summer',
    toItem: lower,
    condition: (items) => sql`hub_tags @> ${items}::text[]`,
  }),
  columnFlag({ name: 'highlight', description: 'Whether it is a highlight' }, sql`highlight`),
  codeFilter('categorycodefilter', 'Categories of gastronomy', sql`category_codes`),
  codeFilter('dishcodefilter', 'Dishes', sql`dish_codes`),
  codeFilter('ceremonycodefilter', 'Ceremonies', sql`ceremony_codes`),
  codeFilter('facilitycodefilter', 'Facilities', sql`facility_codes`),
  codeFilter('cuisinecodefilter', 'Cuisines', sql`facility_codes`),
  difficulty,
  rangeFilter({
    name: 'distancefilter',
    description: 'Length',
    unit: 'kilometres',
    column: sql`length`,
    factor: 1000,
  }),
  rangeFilter({
    name: 'altitudefilter',
    description: 'Difference of altitude',
    unit: 'metres',
    column: sql`climb`,
  }),
  rangeFilter({
    name: 'durationfilter',
    description: 'Duration',
    unit: 'hours',
    column: sql`duration`,
  }),
  hasImage,
]
