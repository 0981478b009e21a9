import {
  flag,
  flagOrNumber,
  integer,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
  timeOfDay,
} from './values.ts'

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

/** When the event takes place: one entry for each span of days. */
export const eventDates = list({
  EventDateId: text,
  From: moment,
  To: moment,
  FromUTC: note(number, 'Milliseconds since 1970'),
  ToUTC: note(number, 'Milliseconds since 1970'),
  Begin: timeOfDay,
  End: timeOfDay,
  Entrance: note(timeOfDay, 'When the doors open'),
  Active: flag,
  SingleDays: note(flag, 'Whether each day stands for itself'),
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
})
