import { Type } from 'typebox'
import {
  flag,
  integer,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
} from './values.ts'

/** Who may come, and who stands behind it. */
export const eventProperty = object({
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

/** What it costs. Records of 2022 have an empty object where an empty array is meant. */
export const variants = Type.With(ticketKinds, {
  type: ['array', 'object', 'null'],
  description: 'One entry for each kind of ticket',
})

/** The price as the sources gave it before variants. */
export const prices = object({
  Language: text,
  Price: note(number, 'Euros'),
  Type: text,
  Pstd: text,
  ShortDesc: text,
  LongDesc: text,
  Description: text,
  PriceRID: text,
  VarRID: text,
})

/** Where it could be booked before `EventUrls`. */
export const bookingOfOld = object({
  BookableFrom: moment,
  BookableTo: moment,
  AccommodationAssignment: text,
  BookingUrl: perLanguage(object({ Url: text })),
  BookingActive: flag,
})

export const eventPublisher = list({
  PublisherRID: text,
  Ranc: integer,
  Publish: integer,
  PublicationStatus: text,
})

export const eventLanguages = note(texts, 'Languages spoken at the event')
