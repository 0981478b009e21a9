import { defineEntity } from '../entity.ts'
import { eventShortColumns, eventShortFilters } from '../filters/lists/event-short.ts'
import { recordSchema } from './base.ts'
import { detail } from './members/detail.ts'
import {
  company,
  descriptionsOfOld,
  displays,
  organiser,
  roomBookings,
} from './members/event-rooms.ts'
import { positions, positionsByType } from './members/gps.ts'
import { documents, images, videos } from './members/media.ts'
import { tagIds, tags } from './members/tags.ts'
import {
  flag,
  integer,
  keyed,
  list,
  moment,
  note,
  number,
  object,
  text,
  texts,
} from './members/values.ts'

const timeAndPlace = {
  EventLocation: note(text, 'NOI, EC, VV or OUT'),
  StartDate: moment,
  EndDate: moment,
  StartDateUTC: note(number, 'Milliseconds since 1970'),
  EndDateUTC: note(number, 'Milliseconds since 1970'),
  AnchorVenue: text,
  AnchorVenueShort: text,
  AnchorVenueRoomMapping: note(text, 'Address of the room on the map'),
}

const deprecatedMembers = {
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
      ...deprecatedMembers,
    }),
  })
