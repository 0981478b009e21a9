import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import { defineEntity } from '../entity.ts'
import { geoShapeFilters, venueFilters } from '../filters/lists/further.ts'
import { simplifyFilter, sridFilter } from '../geography/output-filters.ts'
import type { Naming } from '../naming.ts'
import { recordSchema, tourismSchema } from './base.ts'
import {
  contacts,
  detail,
  images,
  links,
  schedule,
  shortDetail,
  tagIds,
  tags,
  videos,
} from './members/parts.ts'
import { distances, location, positions, positionsByType } from './members/positions.ts'
import {
  flag,
  formerTitle,
  integer,
  keyed,
  kind,
  list,
  moment,
  name,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

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

const camera = object({
  WebcamUrl: note(text, 'Address of the latest picture'),
  StreamUrl: note(text, 'Address of the live view'),
  PreviewUrl: text,
  ViewAngleDegree: note(text, 'Width of the view, degrees'),
  ZeroDirection: note(text, 'Where the middle of the view points'),
  HtmlEmbed: text,
  TourCam: flag,
  HasVR: flag,
  ViewerType: text,
})

/** Webcam streams and metadata (interface 2.3). */
export const webcamInfo = (naming: Naming) =>
  defineEntity({
    name: 'WebcamInfo',
    type: 'webcam',
    summary: 'Webcams: where they stand and what they show',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    schema: tourismSchema(naming, 'WebcamInfo', {
      Detail: detail,
      WebCamProperties: camera,
      ContactInfos: contacts,
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      AreaIds: texts,
      Areas: links,
      WebcamAssignedOn: note(
        list({ Type: text, Id: text, LastChange: moment }),
        'Records that show this webcam',
      ),
      Webcamname: perLanguage(formerTitle),
      Webcamurl: text,
      Streamurl: text,
      Previewurl: text,
      GpsPoints: positionsByType,
    }),
  })

/** GeoJSON (RFC 7946), as far as a schema should go: PostGIS judges the coordinates. */
const geometry = Type.Optional(
  Type.Unsafe<unknown>({
    type: ['object', 'null'],
    required: ['type'],
    properties: {
      type: {
        enum: [
          'Point',
          'MultiPoint',
          'LineString',
          'MultiLineString',
          'Polygon',
          'MultiPolygon',
          'GeometryCollection',
        ],
      },
      coordinates: { type: 'array', items: {} },
      geometries: { type: 'array', items: {} },
    },
    description: 'GeoJSON geometry, longitude first',
  }),
)

/** Outlines of countries, regions and municipalities, for the `polygon` filter (interface 4.7). */
export const geoShape = () =>
  defineEntity({
    name: 'GeoShape',
    path: 'GeoShapes',
    summary: 'Outlines of countries, regions and municipalities',
    idStyle: 'exact',
    titles: ['Name'],
    columns: {
      shape_type: { type: 'text', expression: sql`left(data ->> 'Type', 100)` },
      name: { type: 'text', expression: sql`left(data ->> 'Name', 250)` },
    },
    filters: geoShapeFilters,
    itemFilters: [sridFilter, simplifyFilter],
    aliasPaths: ['GeoShape'],
    order: ['shape_type', 'name'],
    schema: recordSchema('GeoShape', {
      Name: name,
      Type: note(kind, 'country, region, province, municipality …'),
      Country: note(text, 'Two capital letters (ISO 3166)'),
      Srid: note(text, 'Such as EPSG:4326'),
      Geometry: geometry,
    }),
  })
