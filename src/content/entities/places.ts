import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { sql } from '../../sql/index.ts'
import { defineEntity } from '../entity.ts'
import {
  geoShapeFilters,
  searchableColumns,
  searchableFilters,
  venueFilters,
} from '../filters/lists/further.ts'
import { simplifyFilter, sridFilter } from '../geography/output-filters.ts'
import type { Naming } from '../naming.ts'
import { labelled, refersTo, withRole } from '../presentation.ts'
import { recordSchema, tourismSchema } from './base.ts'
import {
  contacts,
  detail,
  images,
  link,
  links,
  schedule,
  shortDetail,
  tagIds,
  tags,
  themedDetail,
  videos,
} from './members/parts.ts'
import {
  distances,
  geo,
  location,
  placeIds,
  positions,
  positionsByType,
  regionFields,
} from './members/positions.ts'
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
} from './members/values.ts'

/** Columns and filters of places that searches may offer. */
const searchable = { columns: searchableColumns, filters: searchableFilters }

type PlaceEntity = Partial<typeof searchable> & {
  readonly name: string
  readonly summary: string
  readonly members: TProperties
}

/** Defines an entity of nested places. It has few records, so its list is returned as an array. */
const placeEntity =
  ({ members, ...definition }: PlaceEntity) =>
  (naming: Naming) =>
    defineEntity({
      ...{ ...definition, idStyle: 'upper', titles: ['Detail.*.Title'], isBareList: true },
      schema: tourismSchema(naming, definition.name, members),
    })

/**
 * Areas of activities, such as skiing areas (interface 2.3). Their prefix in area filters is `are`.
 */
export const area = placeEntity({
  name: 'Area',
  summary: 'Areas of activities, within regions',
  ...searchable,
  members: {
    Detail: detail,
    AreaType: text,
    CustomId: text,
    GID: text,
    LtsID: text,
    RegionId: placeIds.region,
    TourismvereinId: placeIds.association,
    MunicipalityId: placeIds.municipality,
    SkiAreaID: placeIds.skiArea,
    Region: link,
    Tourismassociation: link,
    Municipality: link,
    SkiArea: link,
  },
})

/** Parts of municipalities (interface 2.3). Their prefix in location filters is `fra`. */
export const district = placeEntity({
  name: 'District',
  summary: 'Parts of municipalities',
  ...searchable,
  members: {
    ...regionFields,
    IsComune: note(flag, 'Whether it is the seat of the municipality'),
    SiagId: note(text, 'Number at the weather service'),
    MunicipalityId: placeIds.municipality,
    TourismvereinId: placeIds.association,
    RegionId: placeIds.region,
    Municipality: link,
    Tourismassociation: link,
    Region: link,
  },
})

/** Areas with a name that visitors know, across administrative borders. */
export const experienceArea = placeEntity({
  name: 'ExperienceArea',
  summary: 'Areas with a name known to visitors',
  ...searchable,
  members: {
    ...regionFields,
    TourismvereinIds: placeIds.associations,
    DistrictIds: placeIds.districts,
    TourismAssociations: links,
    Districts: links,
  },
})

/** Groups of regions that marketing presents as one. Their prefix in location filters is `mta`. */
export const metaRegion = placeEntity({
  name: 'MetaRegion',
  summary: 'Groups of tourism regions',
  members: {
    ...regionFields,
    DetailThemed: themedDetail,
    RegionIds: placeIds.regions,
    TourismvereinIds: placeIds.associations,
    DistrictIds: placeIds.districts,
    Regions: links,
    TourismAssociations: links,
    Districts: links,
  },
})

/** Municipalities (interface 2.3). Their prefix in location filters is `mun`. */
export const municipality = placeEntity({
  name: 'Municipality',
  summary: 'Municipalities',
  ...searchable,
  members: {
    ...regionFields,
    Geo: geo,
    Plz: note(text, 'Postal code'),
    IstatNumber: note(text, 'Number at the statistical office'),
    SiagId: note(text, 'Number at the weather service'),
    Inhabitants: integer,
    RegionId: placeIds.region,
    TourismvereinId: placeIds.association,
    Region: link,
    Tourismassociation: link,
  },
})

/** Tourism regions (interface 2.3). */
export const region = placeEntity({
  name: 'Region',
  summary: 'Tourism regions',
  members: {
    ...regionFields,
    DetailThemed: themedDetail,
    Geo: geo,
    SkiareaIds: placeIds.skiAreas,
    SkiAreas: links,
  },
})

/** Local tourism organisations (interface 2.3). Their prefix in location filters is `tvs`. */
export const tourismAssociation = placeEntity({
  name: 'TourismAssociation',
  summary: 'Local tourism organisations',
  members: {
    ...regionFields,
    Geo: geo,
    RegionId: placeIds.region,
    Region: link,
    SkiareaIds: placeIds.skiAreas,
    SkiAreas: links,
  },
})

/** Groups of ski areas (interface 2.3). Their prefix in area filters is `skr`. */
export const skiRegion = placeEntity({
  name: 'SkiRegion',
  summary: 'Groups of ski areas',
  members: {
    ...regionFields,
    GpsPoints: positionsByType,
  },
})

const slopes = {
  TotalSlopeKm: note(text, 'Kilometres of slopes'),
  SlopeKmBlue: note(text, 'Kilometres of easy slopes'),
  SlopeKmRed: note(text, 'Kilometres of slopes of medium difficulty'),
  SlopeKmBlack: note(text, 'Kilometres of difficult slopes'),
  LiftCount: text,
  AltitudeFrom: note(integer, 'Metres above sea level'),
  AltitudeTo: note(integer, 'Metres above sea level'),
  SkiAreaMapURL: text,
  AreaRadius: note(text, 'Metres'),
}

/** Places that the ski area extends into. */
const within = {
  SkiRegionId: refersTo(text, 'SkiRegion'),
  SkiRegionName: perLanguage(
    labelled(text, ['Skiregion', 'Regione sciistica', 'Ski region'], 'text'),
  ),
  SkiRegion: link,
  RegionIds: placeIds.regions,
  Regions: links,
  TourismvereinIds: placeIds.associations,
  TourismAssociations: links,
  MunicipalityIds: placeIds.municipalities,
  Municipalities: links,
  DistrictIds: placeIds.districts,
  Districts: links,
  AreaIds: placeIds.areas,
  Areas: links,
  LocationInfo: location,
}

/** Ski areas (interface 2.3). Their prefix in area filters is `ska`. */
export const skiArea = placeEntity({
  name: 'SkiArea',
  summary: 'Ski areas',
  members: {
    ...regionFields,
    ...slopes,
    ...within,
    OperationSchedule: schedule,
    AreaId: placeIds.areas,
    GpsPoints: positionsByType,
  },
})

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

/** Defines the entity for places that can be booked for events, room by room (decision D37). */
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
      DistrictId: placeIds.district,
      GpsPoints: positionsByType,
    }),
  })

const camera = object({
  WebcamUrl: note(text, 'URL of the latest picture'),
  StreamUrl: note(text, 'URL of the live view'),
  PreviewUrl: withRole(text, 'picture'),
  ViewAngleDegree: note(text, 'Width of the view, degrees'),
  ZeroDirection: note(text, 'Direction of the middle of the view'),
  HtmlEmbed: text,
  TourCam: flag,
  HasVR: flag,
  ViewerType: text,
})

/** Defines the entity for webcam streams and their metadata (interface 2.3). */
export const webcamInfo = (naming: Naming) =>
  defineEntity({
    name: 'WebcamInfo',
    type: 'webcam',
    summary: 'Webcams, with their positions and pictures',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    schema: tourismSchema(naming, 'WebcamInfo', {
      Detail: detail,
      WebCamProperties: camera,
      ContactInfos: contacts,
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      AreaIds: placeIds.areas,
      Areas: links,
      WebcamAssignedOn: note(
        list({ Type: text, Id: text, LastChange: moment }),
        'Records that show this webcam',
      ),
      Webcamname: perLanguage(formerTitle),
      Webcamurl: text,
      Streamurl: text,
      Previewurl: withRole(text, 'picture'),
      GpsPoints: positionsByType,
    }),
  })

/**
 * GeoJSON geometry (RFC 7946). The schema checks only its structure; PostGIS validates the
 * coordinates.
 */
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

/**
 * Defines the entity for outlines of countries, regions and municipalities, which the `polygon`
 * filter uses (interface 4.7).
 */
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
      Geometry: withRole(geometry, 'shape'),
    }),
  })
