import { defineEntity } from '../entity.ts'
import {
  accommodationColumns,
  accommodationFilters,
  accommodationItemFilters,
} from '../filters/lists/accommodation.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { ownPosition, positions, positionsByType } from './members/gps.ts'
import { link, links } from './members/links.ts'
import { distances, location } from './members/location.ts'
import {
  accommodationDetail,
  features,
  independentData,
  lodgingKinds,
  overview,
  reviews,
} from './members/lodging.ts'
import { images } from './members/media.ts'
import { offers, ratePlans } from './members/offers.ts'
import { schedule } from './members/schedule.ts'
import {
  flag,
  integer,
  integerOrText,
  list,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

/** They stood at the top of the record once. */
const kindsOfOld = Object.fromEntries(Object.keys(lodgingKinds).map((name) => [name, flag]))

const reviewOfOld = {
  TrustYouID: text,
  TrustYouScore: number,
  TrustYouResults: integer,
  TrustYouActive: flag,
  TrustYouState: integerOrText,
}

/** What the masks of interface 4.5 filter by: codes, and links made of them. */
const classification = {
  AccoCategoryId: note(text, 'Such as 3stars, 4sstars or 2flowers'),
  AccoTypeId: note(text, 'Such as HotelPension or BedBreakfast'),
  BoardIds: texts,
  BadgeIds: texts,
  ThemeIds: texts,
  SpecialFeaturesIds: texts,
  MarketingGroupIds: texts,
  Features: features,
  AccoCategory: link,
  AccoType: link,
  AccoBoards: links,
  AccoBadges: links,
  AccoThemes: links,
  AccoSpecialFeatures: links,
}

const booking = {
  AccoBookingChannel: list({ Id: text, Pos1ID: text, Portalname: text, BookingId: text }),
  AccoHGVInfo: object({ Bookable: flag, AvailableFrom: text, PriceFrom: integer }),
  AccoLTSInfo: object({
    PriceFrom: integer,
    PriceFromPerUnit: integer,
    PriceFromPerUnitType: text,
  }),
  AccoRoomInfo: note(list({ Id: text, Source: text, Self: text }), 'The rooms, by source'),
  RatePlan: ratePlans,
  MssResponseShort: note(offers, 'Filled by the availability check only'),
}

/** Hotels, guesthouses, farm stays and other lodging (interface 2.3). */
export const accommodation = (naming: Naming) =>
  defineEntity({
    name: 'Accommodation',
    summary: 'Hotels, guesthouses, farm stays and other lodging',
    idStyle: 'upper',
    titles: ['AccoDetail.*.Name'],
    columns: accommodationColumns,
    filters: accommodationFilters,
    itemFilters: accommodationItemFilters,
    // Room data needs a token (interface 5.9); what the availability check adds is closed as well.
    closedMembers: ['AccoRoomInfo', 'RatePlan', 'MssResponseShort'],
    schema: tourismSchema(naming, 'Accommodation', {
      AccoDetail: perLanguage(accommodationDetail),
      ...classification,
      AccoProperties: object(lodgingKinds),
      AccoOverview: overview,
      ...booking,
      Review: note(reviews, 'Keyed by portal, such as trustyou'),
      IndependentData: note(independentData, 'What testers found, who do not belong to the house'),
      OperationSchedule: schedule,
      ImageGallery: images,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: text,
      TourismVereinId: note(text, 'Tourism association'),
      GastronomyId: text,
      MainLanguage: text,
      Representation: integer,
      ...kindsOfOld,
      ...reviewOfOld,
      HgvId: text,
      GpsPoints: positionsByType,
      ...ownPosition,
    }),
  })
