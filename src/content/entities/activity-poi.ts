import { tourismSchema } from './base.ts'
import { contacts, detail, images, links, schedule, typeLinks, videos } from './members/parts.ts'
import {
  distances,
  location,
  placeIds,
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
import { defineEntity } from '../entity.ts'
import { activityPoiColumns, activityPoiFilters } from '../filters/lists/activity-poi.ts'
import type { Naming } from '../naming.ts'

/** How a wheelchair user gets from the car to the charger. No source states units or formats. */
const parkingSpace = object({
  Flat: anything,
  Gradient: anything,
  LateralInclination: anything,
  Pavement: anything,
  Width: anything,
  Length: anything,
})

/** Charging station, as surveyed on site. */
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

/** Fields that only one provider supplies, by schema (interface 9.4, content.md 7.3). */
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

/** Returns the fields that interface 9.2 deprecates or will remove. */
const deprecatedFields = (naming: Naming) => ({
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
  AreaId: placeIds.areas,
  GpsPoints: positionsByType,
  Difficulty: note(text, '1 easy to 6 hard'),
  Highlight: flag,
  PoiServices: texts,
  PoiProperty: perLanguage(list({ Name: text, Value: text })),
  SyncSourceInterface: text,
  SyncUpdateMode: text,
  ...gastronomy,
})

/** Defines the entity for activities, points of interest and gastronomy (interface 2.3). */
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
      DistrictId: placeIds.district,
      TourismorganizationId: placeIds.association,
      AreaIds: placeIds.areas,
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
      ...deprecatedFields(naming),
    }),
  })
