import { Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import {
  eventColumns,
  eventFilters,
  eventShortColumns,
  eventShortFilters,
} from '../filters/lists/events.ts'
import type { Naming } from '../naming.ts'
import { labelled, part, refersTo, withRole } from '../presentation.ts'
import { recordSchema, tourismSchema } from './base.ts'
import {
  contacts,
  detail,
  documents,
  images,
  links,
  organisers,
  tagIds,
  tags,
  videos,
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
  begin,
  description,
  end,
  flag,
  flagOrNumber,
  formerTitle,
  integer,
  keyed,
  list,
  moment,
  moments,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
  timeOfDay,
} from './members/values.ts'

const availability = {
  AvailabilityLow: note(flagOrNumber, 'Whether few places are left; older records give a number'),
  AvailabilityCalculatedValue: integer,
}

const calculatedDay = {
  CalculatedDayId: text,
  CDayRID: text,
  Day: moment,
  Begin: timeOfDay,
  ...availability,
  SoldOut: flag,
  EventDateCalculatedDayVariant: list({ VariantId: text, ...availability }),
}

const additionalInfo = object({
  Language: text,
  Description: text,
  Guide: text,
  RegistrationWithin: text,
  CancellationDescription: text,
})

/** Dates of the event: one entry for each span of days. */
const eventDates = withRole(
  list({
    EventDateId: text,
    From: part(moment, 'start'),
    To: part(moment, 'end'),
    FromUTC: note(number, 'Milliseconds since 1970'),
    ToUTC: note(number, 'Milliseconds since 1970'),
    Begin: part(timeOfDay, 'startTime'),
    End: part(timeOfDay, 'endTime'),
    Entrance: note(timeOfDay, 'When the doors open'),
    Active: flag,
    SingleDays: note(flag, 'Whether each day is a separate event'),
    IsCancelled: flag,
    IsBookable: flag,
    MinPersons: integer,
    MaxPersons: integer,
    PriceFrom: note(number, 'Euros'),
    EventVariantIds: texts,
    VenueRoomDetailsIds: texts,
    EventDateTicketInfo: object({
      Active: flag,
      OnlineSaleUntil: integer,
      OnlineContingent: integer,
    }),
    EventDateAdditionalInfo: perLanguage(additionalInfo),
    EventCalculatedDays: list(calculatedDay),
    EventCalculatedDay: object(calculatedDay),
    DayRID: text,
    Cancelled: flagOrNumber,
    Ticket: flag,
  }),
  'dates',
)

/** Conditions of admission, and the organizer. */
const eventProperty = object({
  TicketRequired: flag,
  RegistrationRequired: flag,
  IncludedInSuedtirolGuestPass: flag,
  IsBookable: flag,
  EventClassificationId: text,
  EventOrganizerId: text,
})

const ticketKinds = list({
  Order: integer,
  Price: note(number, 'Euros'),
  VariantId: text,
  VariantCategoryId: text,
  Name: perLanguage(text),
  IsStandard: flag,
  IsIgnoredInAvailability: flag,
  CombinedSalesIds: texts,
  TaxRateId: text,
})

/** Prices of the event. Records of 2022 have an empty object instead of an empty array. */
const variants = Type.With(ticketKinds, {
  type: ['array', 'object', 'null'],
  description: 'One entry for each kind of ticket',
})

/** Price as the sources stated it before variants. */
const prices = object({
  Language: text,
  Price: note(number, 'Euros'),
  Type: text,
  Pstd: text,
  ShortDesc: labelled(text, ['Eintritt', 'Ingresso', 'Admission'], 'text'),
  LongDesc: text,
  Description: text,
  PriceRID: text,
  VarRID: text,
})

/** Booking of the event, as it was before `EventUrls`. */
const bookingOfOld = object({
  BookableFrom: moment,
  BookableTo: moment,
  AccommodationAssignment: text,
  BookingUrl: perLanguage(object({ Url: text })),
  BookingActive: flag,
})

const eventPublisher = list({
  PublisherRID: text,
  Ranc: integer,
  Publish: integer,
  PublicationStatus: text,
})

const eventLanguages = note(texts, 'Languages spoken at the event')

const additionalInfos = object({
  Language: text,
  MeetingPoint: labelled(text, ['Treffpunkt', 'Ritrovo', 'Meeting point'], 'text'),
  Registration: labelled(text, ['Anmeldung', 'Iscrizione', 'Registration'], 'text'),
  Location: labelled(text, ['Ort', 'Luogo', 'Place'], 'text'),
  ServiceDescription: labelled(text, ['Leistungen', 'Servizi', 'Services'], 'text'),
  WhatToBring: labelled(text, ['Mitzubringen', 'Cosa portare', 'What to bring'], 'text'),
  CancellationModality: labelled(text, ['Absage', 'Disdetta', 'Cancellation'], 'text'),
  Mplace: labelled(text, ['Treffpunkt', 'Punto d’incontro', 'Meeting point'], 'text'),
  Reg: labelled(text, ['Anmeldung', 'Iscrizione', 'Registration'], 'text'),
})

const urls = list({
  Type: note(text, 'homePage, bookingUrl …'),
  Url: perLanguage(text),
  Active: flag,
})

const additionalProperties = object({
  EventLTSDataProperties: object({
    EventPublisher: eventPublisher,
    EventBooking: bookingOfOld,
    EventLanguages: eventLanguages,
    EventVariants: variants,
    EventProperty: eventProperty,
  }),
  EventCentroTreviDataProperties: object({ Price: number, Ticket: flag, TicketInfo: text }),
  EventEuracNoiDataProperties: object({
    ExternalOrganizer: flag,
    SoldOut: flag,
    TypicalAgeRange: object({ AgeFrom: integer, AgeTo: integer }),
    EventLocation: note(text, 'NOI, EC, VV or OUT'),
  }),
})

/** Returns the fields that interface 9.1 deprecates. */
const deprecatedFields = (naming: Naming) => ({
  [naming.tags]: links,
  [naming.active]: flag,
  EventPrice: perLanguage(prices),
  EventBooking: bookingOfOld,
  ClassificationRID: text,
  TopicRIDs: texts,
  Topics: list({ TopicRID: text, TopicInfo: text, Self: text }),
  Ticket: text,
  SignOn: text,
  OrgRID: text,
  EventDatesBegin: moments,
  EventDatesEnd: moments,
  EventDateCounter: integer,
  GpsPoints: positionsByType,
  ...ownPosition,
})

/** Defines the entity for cultural, sports and seasonal events (interface 2.3). */
export const event = (naming: Naming) =>
  defineEntity({
    name: 'Event',
    summary: 'Cultural, sports and seasonal events',
    idStyle: 'exact',
    titles: ['Detail.*.Title'],
    columns: eventColumns,
    filters: eventFilters,
    schema: tourismSchema(naming, 'Event', {
      Detail: detail,
      DateBegin: note(begin, 'First day'),
      DateEnd: note(end, 'Last day'),
      DateBeginUTC: note(number, 'Milliseconds since 1970'),
      DateEndUTC: note(number, 'Milliseconds since 1970'),
      EventDate: eventDates,
      EventAdditionalInfos: perLanguage(additionalInfos),
      EventProperty: eventProperty,
      EventVariants: variants,
      EventUrls: urls,
      EventPublisher: eventPublisher,
      EventLanguages: eventLanguages,
      ContactInfos: contacts,
      OrganizerInfos: organisers,
      ImageGallery: images,
      VideoItems: videos,
      Documents: documents,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: placeIds.district,
      DistrictIds: placeIds.districts,
      Districts: links,
      VenueIds: refersTo(texts, 'Venue'),
      VenueLink: links,
      AdditionalProperties: additionalProperties,
      ...deprecatedFields(naming),
    }),
  })

const roomBookings = list({
  Space: text,
  SpaceDesc: text,
  SpaceAbbrev: text,
  SpaceType: text,
  SpaceDescRoomMapping: note(text, 'URL of the room on the map'),
  Subtitle: text,
  Comment: text,
  StartDate: moment,
  EndDate: moment,
  StartDateUTC: note(number, 'Milliseconds since 1970'),
  EndDateUTC: note(number, 'Milliseconds since 1970'),
})

/** Company that holds the event. */
const company = {
  CompanyId: text,
  CompanyName: text,
  CompanyAddressLine1: text,
  CompanyAddressLine2: text,
  CompanyAddressLine3: text,
  CompanyPostalCode: text,
  CompanyCity: text,
  CompanyCountry: text,
  CompanyPhone: text,
  CompanyFax: text,
  CompanyMail: text,
  CompanyUrl: text,
}

/** Contact person of the event. */
const organiser = {
  ContactCode: text,
  ContactFirstName: text,
  ContactLastName: text,
  ContactPhone: text,
  ContactCell: text,
  ContactFax: text,
  ContactEmail: text,
  ContactAddressLine1: text,
  ContactAddressLine2: text,
  ContactAddressLine3: text,
  ContactPostalCode: text,
  ContactCity: text,
  ContactCountry: text,
}

/** Titles and texts as they were before `Detail`. */
const descriptionsOfOld = {
  EventTitle: perLanguage(formerTitle),
  EventText: perLanguage(description),
  EventDescription: text,
  EventDescriptionDE: text,
  EventDescriptionIT: text,
  EventDescriptionEN: text,
  EventTextDE: text,
  EventTextIT: text,
  EventTextEN: text,
}

const screen = note(text, 'Y or N')

/** Screens of the campus on which the event was shown. */
const displays = {
  Display1: screen,
  Display2: screen,
  Display3: screen,
  Display4: screen,
  Display5: note(text, 'Name shown instead of the company'),
  Display6: screen,
  Display7: screen,
  Display8: screen,
  Display9: screen,
}

const timeAndPlace = {
  EventLocation: note(text, 'NOI, EC, VV or OUT'),
  StartDate: begin,
  EndDate: end,
  StartDateUTC: note(number, 'Milliseconds since 1970'),
  EndDateUTC: note(number, 'Milliseconds since 1970'),
  AnchorVenue: text,
  AnchorVenueShort: text,
  AnchorVenueRoomMapping: note(text, 'URL of the room on the map'),
}

const deprecatedShortFields = {
  ...descriptionsOfOld,
  ...displays,
  EventDocument: list({ DocumentURL: text, Language: text }),
  ActiveToday: flag,
  ActiveWeb: flag,
  ActiveCommunityApp: flag,
  GpsPoints: positionsByType,
}

/** Defines the entity for short event records: events in the rooms of a campus (interface 2.3). */
export const eventShort = () =>
  defineEntity({
    name: 'EventShort',
    summary: 'Short event records: what happens in the rooms of a campus',
    idStyle: 'lower',
    titles: ['Detail.*.Title', 'EventTitle.*'],
    columns: eventShortColumns,
    filters: eventShortFilters,
    order: ['start_date'],
    schema: recordSchema('EventShort', {
      Detail: detail,
      EventId: integer,
      ChangedOn: moment,
      ...timeAndPlace,
      RoomBooked: roomBookings,
      ...company,
      ...organiser,
      ExternalOrganizer: flag,
      SoldOut: flag,
      TypicalAgeRange: object({ AgeFrom: integer, AgeTo: integer }),
      TechnologyFields: texts,
      CustomTagging: texts,
      WebAddress: text,
      VideoUrl: text,
      ImageGallery: images,
      VideoItems: videos,
      Documents: documents,
      GpsInfo: positions,
      TagIds: tagIds,
      Tags: tags,
      AdditionalProperties: keyed(object({})),
      ...deprecatedShortFields,
    }),
  })
