import { defineEntity } from '../entity.ts'
import { venueFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { contacts } from './members/contact.ts'
import { detail, shortDetail } from './members/detail.ts'
import { positions, positionsByType } from './members/gps.ts'
import { distances, location } from './members/location.ts'
import { images } from './members/media.ts'
import { schedule } from './members/schedule.ts'
import { tagIds, tags } from './members/tags.ts'
import { flag, integer, keyed, list, note, number, object, text } from './members/values.ts'

const rooms = list({
  Id: text,
  Shortname: text,
  TagIds: tagIds,
  Tags: tags,
  Detail: shortDetail,
  ImageGallery: images,
  VenueRoomProperties: object({
    SquareMeters: number,
    RoomWidthInMeters: number,
    RoomDepthInMeters: number,
    RoomHeightInCentimeters: number,
    DoorWidthInCentimeters: number,
    DoorHeightInCentimeters: number,
  }),
  Placement: note(text, 'indoor or outdoor'),
  Active: flag,
  MaxCapacity: note(integer, 'Persons'),
  Mapping: keyed(keyed(text)),
})

/** Places that can be booked for meetings and events, room by room (decision D37). */
export const venue = (naming: Naming) =>
  defineEntity({
    name: 'Venue',
    summary: 'Places for meetings and events, room by room',
    idStyle: 'exact',
    titles: ['Detail.*.Title'],
    filters: venueFilters,
    schema: tourismSchema(naming, 'Venue', {
      Detail: detail,
      RoomDetails: rooms,
      ContactInfos: contacts,
      ImageGallery: images,
      OperationSchedule: schedule,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: text,
      GpsPoints: positionsByType,
    }),
  })
