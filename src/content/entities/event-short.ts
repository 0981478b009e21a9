import { defineEntity } from '../entity.ts'
import { eventShortColumns, eventShortFilters } from '../filters/lists/events.ts'
import { recordSchema } from './base.ts'
import { detail, documents, images, tagIds, tags, videos } from './members/parts.ts'
import { positions, positionsByType } from './members/positions.ts'
import {
  begin,
  description,
  end,
  flag,
  formerTitle,
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

/** The rooms that the event has booked. */
const roomBookings = list({
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

/** The contact person. */
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

/** Titles and texts before `Detail`. */
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

/** On which screens of the campus it was shown. */
const displays = {
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

const timeAndPlace = {
  EventLocation: note(text, 'NOI, EC, VV or OUT'),
  StartDate: begin,
  EndDate: end,
  StartDateUTC: note(number, 'Milliseconds since 1970'),
  EndDateUTC: note(number, 'Milliseconds since 1970'),
  AnchorVenue: text,
  AnchorVenueShort: text,
  AnchorVenueRoomMapping: note(text, 'Address of the room on the map'),
}

const deprecatedFields = {
  ...descriptionsOfOld,
  ...displays,
  EventDocument: list({ DocumentURL: text, Language: text }),
  ActiveToday: flag,
  ActiveWeb: flag,
  ActiveCommunityApp: flag,
  GpsPoints: positionsByType,
}

/** Short event records: what happens in the rooms of a campus (interface 2.3). */
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
      ...deprecatedFields,
    }),
  })
