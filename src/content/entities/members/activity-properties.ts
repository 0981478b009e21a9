import { electricCharging } from './electric-charging.ts'
import { gastronomy } from './gastronomy.ts'
import { ratings, routeFlags, routeMeasures } from './route.ts'
import { anything, flag, integer, keyed, note, object, perLanguage, text, texts } from './values.ts'

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
export const additionalProperties = object({
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
