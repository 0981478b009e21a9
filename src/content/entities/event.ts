import { defineEntity } from '../entity.ts'
import { eventColumns, eventFilters } from '../filters/lists/event.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { contacts } from './members/contact.ts'
import { detail } from './members/detail.ts'
import { eventDates } from './members/event-dates.ts'
import {
  bookingOfOld,
  eventLanguages,
  eventProperty,
  eventPublisher,
  prices,
  variants,
} from './members/event-terms.ts'
import { ownPosition, positions, positionsByType } from './members/gps.ts'
import { links } from './members/links.ts'
import { distances, location } from './members/location.ts'
import { documents, images, videos } from './members/media.ts'
import {
  flag,
  integer,
  list,
  moment,
  moments,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

const additionalInfos = object({
  Language: text,
  MeetingPoint: text,
  Registration: text,
  Location: text,
  ServiceDescription: text,
  WhatToBring: text,
  CancellationModality: text,
  Mplace: text,
  Reg: text,
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

/** Deprecated fields and their replacements (interface 9.1). */
const deprecatedMembers = (naming: Naming) => ({
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

/** Cultural, sports and seasonal events (interface 2.3). */
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
      DateBegin: note(moment, 'First day'),
      DateEnd: note(moment, 'Last day'),
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
      OrganizerInfos: contacts,
      ImageGallery: images,
      VideoItems: videos,
      Documents: documents,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: text,
      DistrictIds: texts,
      Districts: links,
      VenueIds: texts,
      VenueLink: links,
      AdditionalProperties: additionalProperties,
      ...deprecatedMembers(naming),
    }),
  })
