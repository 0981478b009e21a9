import { list, moment, note, number, perLanguage, text } from './values.ts'

/** The rooms that the event has booked. */
export const roomBookings = list({
  Space: text,
  SpaceDesc: text,
  SpaceAbbrev: text,
  SpaceType: text,
  SpaceDescRoomMapping: note(text, 'Address of the room on the map'),
  Subtitle: text,
  Comment: text,
  StartDate: moment,
  EndDate: moment,
  StartDateUTC: note(number, 'Milliseconds since 1970'),
  EndDateUTC: note(number, 'Milliseconds since 1970'),
})

/** The company that holds the event. */
export const company = {
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

/** The person to ask. */
export const organiser = {
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

/** Titles and texts before `Detail`. */
export const descriptionsOfOld = {
  EventTitle: perLanguage(text),
  EventText: perLanguage(text),
  EventDescription: text,
  EventDescriptionDE: text,
  EventDescriptionIT: text,
  EventDescriptionEN: text,
  EventTextDE: text,
  EventTextIT: text,
  EventTextEN: text,
}

const screen = note(text, 'Y or N')

/** On which screens of the campus it was shown. */
export const displays = {
  Display1: screen,
  Display2: screen,
  Display3: screen,
  Display4: screen,
  Display5: note(text, 'The name to show in place of the company'),
  Display6: screen,
  Display7: screen,
  Display8: screen,
  Display9: screen,
}
