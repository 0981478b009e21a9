import { defineEntity } from '../entity.ts'
import { roomColumns, roomFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { features } from './members/lodging.ts'
import { images } from './members/media.ts'
import { integer, note, number, object, perLanguage, text, texts } from './members/values.ts'

const detail = object({ Language: text, Name: text, Shortdesc: text, Longdesc: text })

/** Rooms, apartments and pitches of the accommodations; all of it is closed (decision D34). */
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
      A0RID: note(text, 'Identifier of the accommodation'),
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
