import { defineEntity } from '../entity.ts'
import {
  accommodationColumns,
  accommodationFilters,
  accommodationItemFilters,
} from '../filters/lists/accommodation.ts'
import { roomColumns, roomFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { labelled, part, refersTo } from '../presentation.ts'
import { tourismSchema } from './base.ts'
import {
  contactLabel,
  images,
  inShort,
  link,
  links,
  longText,
  metaDescription,
  metaTitle,
  schedule,
} from './members/parts.ts'
import {
  distances,
  location,
  ownPosition,
  placeIds,
  positions,
  positionsByType,
} from './members/positions.ts'
import {
  flag,
  integer,
  integerOrText,
  integers,
  keyed,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
  timeOfDay,
  title,
} from './members/values.ts'

const accommodationDetail = object({
  Language: text,
  Name: part(title, 'name'),
  NameAddition: labelled(
    text,
    ['Namenszusatz', 'Aggiunta al nome', 'Addition to the name'],
    'text',
  ),
  Street: part(text, 'street'),
  Zip: part(text, 'postcode'),
  City: part(text, 'town'),
  CountryCode: text,
  Phone: part(text, 'phone'),
  Mobile: part(text, 'mobile'),
  Fax: text,
  Firstname: part(text, 'givenName'),
  Lastname: part(text, 'familyName'),
  Email: part(text, 'email'),
  Website: part(text, 'site'),
  Shortdesc: inShort,
  Longdesc: longText,
  Vat: text,
  MetaTitle: metaTitle,
  MetaDesc: metaDescription,
})

const lodgingKinds = {
  HasApartment: flag,
  HasRoom: flag,
  HasDorm: flag,
  HasPitches: flag,
  IsCamping: flag,
  IsGastronomy: flag,
  IsBookable: flag,
  IsAccommodation: flag,
  TVMember: note(flag, 'Whether it is a member of the tourism association'),
}

const features = list({
  Id: text,
  Name: text,
  HgvId: text,
  OtaCodes: note(text, 'Codes of the OpenTravel Alliance'),
  RoomAmenityCodes: integers,
  Self: text,
})

/** Numbers of rooms and facilities, and hours of service. */
const overview = object({
  TotalRooms: integer,
  SingleRooms: integer,
  DoubleRooms: integer,
  TripleRooms: integer,
  QuadrupleRooms: integer,
  Apartments: integer,
  ApartmentBeds: integer,
  ApartmentRoomSize: note(integer, 'Square metres'),
  MaxPersons: integer,
  OutdoorParkings: integer,
  GarageParkings: integer,
  CampingUnits: integer,
  CampingWashrooms: integer,
  CampingDouches: integer,
  CampingToilettes: integer,
  CampingWashingstands: integer,
  CheckInFrom: timeOfDay,
  CheckInTo: timeOfDay,
  CheckOutFrom: timeOfDay,
  CheckOutTo: timeOfDay,
  ReceptionOpenFrom: timeOfDay,
  ReceptionOpenTo: timeOfDay,
  RoomServiceFrom: timeOfDay,
  RoomServiceTo: timeOfDay,
  BaggageServiceFrom: timeOfDay,
  BaggageServiceTo: timeOfDay,
})

/** Guest reviews, one entry for each portal. */
const reviews = keyed(
  object({
    ReviewId: text,
    Provider: text,
    Score: number,
    Results: note(integer, 'Number of reviews on which the score is based'),
    Active: flag,
    State: text,
    StateInteger: integer,
  }),
)

const independentDescription = object({
  Language: text,
  Description: text,
  BacklinkUrl: text,
  CommitmentToAccessibilityUrl: text,
})

const independentData = object({
  IndependentDescription: perLanguage(independentDescription),
  IndependentRating: integer,
  Enabled: flag,
})

/** Rate plans under which a stay can be booked. */
const ratePlans = list({
  RatePlanId: text,
  Code: text,
  ChargeType: text,
  Name: perLanguage(text),
  ShortDescription: perLanguage(text),
  LongDescription: perLanguage(text),
  LastUpdate: moment,
  Visibility: text,
})

const terms = {
  PaymentTerm: object({
    Id: integerOrText,
    Methods: integerOrText,
    Prepayment: integerOrText,
    Ccards: integerOrText,
    Priority: integer,
    Description: text,
    Bank: object({ Name: text, Iban: text, Swift: text }),
  }),
  CancelPolicy: object({
    Id: integerOrText,
    Refundable: integer,
    RefundableUntil: moment,
    Description: text,
    Penalties: list({ Percent: number, Datefrom: moment, Daysarrival: integer }),
  }),
}

const rooms = list({
  RoomId: text,
  RoomSeq: note(integer, 'Which of the requested rooms'),
  OfferId: text,
  Roomtype: integer,
  Roomtitle: text,
  Roomdesc: text,
  Roomfree: note(integer, 'How many of this room are free'),
  Roommax: integer,
  Roommin: integer,
  Roomstd: integer,
  RoomChannelLink: text,
  RoomPictures: list({ Pictureurl: text }),
  TotalPrice: number,
  TotalPriceString: text,
  Price_ws: note(number, 'Without board'),
  Price_bb: note(number, 'With breakfast'),
  Price_hb: note(number, 'With half board'),
  Price_fb: note(number, 'With full board'),
  Price_ai: note(number, 'All inclusive'),
  ...terms,
})

const combination = list({ RoomId: text, RoomSeq: integer, Price: number, RoomFree: integer })

/**
 * Offers for the requested stay, one for each booking channel, in euros (reference content.md 8.3).
 */
const offers = list({
  HotelId: integer,
  A0RID: refersTo(note(text, 'Identifier of the accommodation'), 'Accommodation'),
  Bookable: flag,
  ChannelID: note(text, 'Booking channel, such as hgv or lts'),
  Channellink: text,
  OfferId: text,
  OfferGid: text,
  OfferTyp: integer,
  OfferShow: integer,
  CheapestOffer: number,
  CheapestOfferString: text,
  CheapestOffer_ws: note(number, 'Without board'),
  CheapestOffer_bb: note(number, 'With breakfast'),
  CheapestOffer_hb: note(number, 'With half board'),
  CheapestOffer_fb: note(number, 'With full board'),
  CheapestOffer_ai: note(number, 'All inclusive'),
  CheapestOfferDetail: list({
    Service: note(text, 'Such as price_hb'),
    Price: number,
    CheapestRoomCombinationDetail: combination,
  }),
  OnlinepaymentMethods: text,
  OnlinepaymentPrepayment: text,
  OnlinepaymentCCards: text,
  RoomDetails: rooms,
})

/** Kinds of lodging as they were before `AccoProperties`: fields of the record itself. */
const kindsOfOld = Object.fromEntries(Object.keys(lodgingKinds).map((name) => [name, flag]))

const reviewOfOld = {
  TrustYouID: text,
  TrustYouScore: number,
  TrustYouResults: integer,
  TrustYouActive: flag,
  TrustYouState: integerOrText,
}

/** Codes that the masks of interface 4.5 filter by, and links generated from them. */
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
  AccoRoomInfo: note(
    list({ Id: refersTo(text, 'AccommodationRoom'), Source: text, Self: text }),
    'The rooms, by source',
  ),
  RatePlan: ratePlans,
  MssResponseShort: note(offers, 'Filled by the availability check only'),
}

/** Defines the entity for hotels, guesthouses, farm stays and other lodging (interface 2.3). */
export const accommodation = (naming: Naming) =>
  defineEntity({
    name: 'Accommodation',
    summary: 'Hotels, guesthouses, farm stays and other lodging',
    idStyle: 'upper',
    titles: ['AccoDetail.*.Name'],
    columns: accommodationColumns,
    filters: accommodationFilters,
    itemFilters: accommodationItemFilters,
    // Room data requires a token (interface 5.9); what the availability check adds is closed as
    // well.
    closedFields: ['AccoRoomInfo', 'RatePlan', 'MssResponseShort'],
    schema: tourismSchema(naming, 'Accommodation', {
      AccoDetail: perLanguage(labelled(accommodationDetail, contactLabel, 'contact')),
      ...classification,
      AccoProperties: object(lodgingKinds),
      AccoOverview: overview,
      ...booking,
      Review: note(reviews, 'Keyed by portal, such as trustyou'),
      IndependentData: note(independentData, 'Findings of independent testers'),
      OperationSchedule: schedule,
      ImageGallery: images,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: placeIds.district,
      TourismVereinId: placeIds.association,
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

const detail = object({ Language: text, Name: title, Shortdesc: inShort, Longdesc: longText })

/** Defines the entity for rooms, apartments and pitches, all of which are closed (decision D34). */
export const accommodationRoom = (naming: Naming) =>
  defineEntity({
    name: 'AccommodationRoom',
    summary: 'Rooms, apartments and pitches of the accommodations',
    idStyle: 'upper',
    titles: ['AccoRoomDetail.*.Name'],
    columns: roomColumns,
    filters: roomFilters,
    order: [],
    needsToken: true,
    schema: tourismSchema(naming, 'AccommodationRoom', {
      A0RID: refersTo(note(text, 'Identifier of the accommodation'), 'Accommodation'),
      AccoRoomDetail: perLanguage(detail),
      Roomtype: note(text, 'room, apartment, campsite, dorm …'),
      RoomtypeInt: note(integer, '0 undefined, 1 room, 2 apartment, 4 pitch, 8 dorm'),
      RoomCode: text,
      RoomNumbers: texts,
      RoomQuantity: note(integer, 'How many rooms of this kind there are'),
      RoomClassificationCodes: integer,
      Roommin: note(integer, 'Persons'),
      Roomstd: note(integer, 'Persons'),
      Roommax: note(integer, 'Persons'),
      PriceFrom: note(number, 'Euros per person and night'),
      PriceFromPerUnit: note(number, 'Euros per unit and night'),
      Properties: object({
        SquareMeters: number,
        SleepingRooms: integer,
        LivingRooms: integer,
        DiningRooms: integer,
        Toilets: integer,
        Baths: integer,
      }),
      Features: features,
      ImageGallery: images,
      LTSId: text,
      HGVId: text,
    }),
  })
