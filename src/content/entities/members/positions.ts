import { Type } from 'typebox'
import { labelled, measured, part, refersTo, withRole } from '../../presentation.ts'
import { contacts, detail, images } from './parts.ts'
import { flag, keyed, list, note, number, object, perLanguage, text, texts } from './values.ts'

const latitude = part(
  Type.With(number, { minimum: -90, maximum: 90, description: 'WGS 84, degrees' }),
  'latitude',
)
const longitude = part(
  Type.With(number, { minimum: -180, maximum: 180, description: 'WGS 84, degrees' }),
  'longitude',
)

const position = {
  Gpstype: part(
    note(text, 'Kind of position: position, viewpoint, startingpoint, valleystationpoint …'),
    'kind',
  ),
  Latitude: latitude,
  Longitude: longitude,
  Altitude: part(note(number, 'In AltitudeUnitofMeasure, mostly m'), 'altitude'),
  AltitudeUnitofMeasure: text,
  Geometry: part(note(text, 'WKT'), 'shape'),
  Default: note(flag, 'Whether this is the main position of the record'),
}

/** Positions of a record. Filters use the default one, or the one of type `position`. */
export const positions = labelled(list(position), ['Ort', 'Luogo', 'Place'], 'place')

/** Positions by name. */
export const namedPositions = keyed(withRole(object(position), 'position'))

/** Positions of a record, keyed by their type for old clients. */
export const positionsByType = note(namedPositions, 'Keyed by Gpstype')

/** Position as fields of the record itself, for old clients. */
export const ownPosition = {
  Gpstype: part(text, 'kind'),
  Latitude: latitude,
  Longitude: longitude,
  Altitude: part(number, 'altitude'),
  AltitudeUnitofMeasure: text,
}

/** URLs of recorded tracks. */
export const tracks = list({
  Id: text,
  GpxTrackDesc: perLanguage(text),
  GpxTrackUrl: text,
  Type: note(text, 'Such as overview or detailed'),
  Format: note(text, 'Such as gpx or kml'),
})

/** Outline as a list of corners. */
const outline = list({ Latitude: latitude, Longitude: longitude })

const named = part(text, 'name')
const municipality = labelled(named, ['Gemeinde', 'Comune', 'Municipality'], 'municipality')

/** Reference to a place: its identifier and its name. */
const placeOf = (entity: string, name = named) =>
  object({ Id: part(refersTo(text, entity), 'id'), Name: perLanguage(name), Self: text })

/** Places in which the record is, from large to small. */
export const location = withRole(
  object({
    RegionInfo: placeOf('Region'),
    TvInfo: note(placeOf('TourismAssociation'), 'Tourism association'),
    MunicipalityInfo: placeOf('Municipality', municipality),
    DistrictInfo: placeOf('District'),
    AreaInfo: placeOf('Area'),
  }),
  'location',
)

/** Identifiers of the places to which records are assigned. */
export const placeIds = {
  region: refersTo(text, 'Region'),
  regions: refersTo(texts, 'Region'),
  association: refersTo(note(text, 'Tourism association'), 'TourismAssociation'),
  associations: refersTo(note(texts, 'Tourism associations'), 'TourismAssociation'),
  municipality: refersTo(text, 'Municipality'),
  municipalities: refersTo(texts, 'Municipality'),
  district: refersTo(text, 'District'),
  districts: refersTo(texts, 'District'),
  area: refersTo(text, 'Area'),
  areas: refersTo(texts, 'Area'),
  skiArea: refersTo(text, 'SkiArea'),
  skiAreas: refersTo(texts, 'SkiArea'),
}

export const distances = object({
  DistanceToMunicipality: note(number, 'To the centre of the municipality, metres'),
  DistanceToDistrict: note(number, 'To the centre of the district, metres'),
})

/** Fields of regions, municipalities, ski areas and similar places (reference content.md 7.9). */
export const regionFields = {
  CustomId: text,
  Detail: detail,
  ContactInfos: contacts,
  ImageGallery: images,
  GpsInfo: positions,
  GpsPolygon: outline,
  DistanceInfo: distances,
  VisibleInSearch: note(flag, 'Whether it is offered as a choice in searches'),
  ...ownPosition,
}

/** Positions and outlines by name, of which exactly one is the default. */
export const geo = note(
  namedPositions,
  'Positions and outlines by name; exactly one is the default',
)

/** Length, duration and altitudes of a route, a slope or a lift. */
export const routeMeasures = {
  AltitudeDifference: labelled(measured(note(number, 'Metres'), 'm'), [
    'Höhenunterschied',
    'Dislivello',
    'Difference in altitude',
  ]),
  AltitudeHighestPoint: labelled(measured(note(number, 'Metres above sea level'), 'm'), [
    'Höchster Punkt',
    'Punto più alto',
    'Highest point',
  ]),
  AltitudeLowestPoint: labelled(measured(note(number, 'Metres above sea level'), 'm'), [
    'Tiefster Punkt',
    'Punto più basso',
    'Lowest point',
  ]),
  AltitudeSumUp: labelled(measured(note(number, 'Total metres climbed'), 'm'), [
    'Aufstieg',
    'Salita',
    'Ascent',
  ]),
  AltitudeSumDown: labelled(measured(note(number, 'Total metres descended'), 'm'), [
    'Abstieg',
    'Discesa',
    'Descent',
  ]),
  DistanceDuration: labelled(measured(note(number, 'Hours'), 'h'), ['Dauer', 'Durata', 'Duration']),
  DistanceLength: labelled(measured(note(number, 'Metres'), 'm'), ['Länge', 'Lunghezza', 'Length']),
}

/** Properties of a route, a slope or a lift. */
export const routeFlags = {
  IsOpen: flag,
  HasFreeEntrance: flag,
  IsPrepared: note(flag, 'Groomed'),
  RunToValley: flag,
  IsWithLigth: note(flag, 'Lit at night; spelt so everywhere'),
  HasRentals: flag,
  LiftAvailable: flag,
  FeetClimb: note(flag, 'Can be climbed on foot'),
  BikeTransport: note(flag, 'Takes bicycles'),
}

/** Ratings from 1 to 6, as text. */
export const ratings = object({
  Stamina: text,
  Experience: text,
  Landscape: text,
  Difficulty: note(text, '1 easy to 6 hard'),
  Technique: text,
})
