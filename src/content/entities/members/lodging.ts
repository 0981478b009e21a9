import {
  flag,
  integer,
  integers,
  keyed,
  list,
  note,
  number,
  object,
  perLanguage,
  text,
  timeOfDay,
} from './values.ts'

/** Name, address and texts of an accommodation in one language. */
export const accommodationDetail = object({
  Language: text,
  Name: text,
  NameAddition: text,
  Street: text,
  Zip: text,
  City: text,
  CountryCode: text,
  Phone: text,
  Mobile: text,
  Fax: text,
  Firstname: text,
  Lastname: text,
  Email: text,
  Website: text,
  Shortdesc: text,
  Longdesc: text,
  Vat: text,
  MetaTitle: text,
  MetaDesc: text,
})

/** What kinds of lodging a house has, and what it is besides. */
export const lodgingKinds = {
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

/** What a house or a room offers. */
export const features = list({
  Id: text,
  Name: text,
  HgvId: text,
  OtaCodes: note(text, 'Codes of the OpenTravel Alliance'),
  RoomAmenityCodes: integers,
  Self: text,
})

/** How much there is of what, and from when to when. */
export const overview = object({
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

/** What guests say, one entry for each portal. */
export const reviews = keyed(
  object({
    ReviewId: text,
    Provider: text,
    Score: number,
    Results: note(integer, 'How many reviews the score is made of'),
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

export const independentData = object({
  IndependentDescription: perLanguage(independentDescription),
  IndependentRating: integer,
  Enabled: flag,
})
