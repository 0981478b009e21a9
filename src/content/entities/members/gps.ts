import { Type } from 'typebox'
import { flag, keyed, list, note, number, object, perLanguage, text } from './values.ts'

const latitude = Type.With(number, { minimum: -90, maximum: 90, description: 'WGS 84, degrees' })
const longitude = Type.With(number, { minimum: -180, maximum: 180, description: 'WGS 84, degrees' })

const position = {
  Gpstype: note(text, 'What is there: position, viewpoint, startingpoint, valleystationpoint …'),
  Latitude: latitude,
  Longitude: longitude,
  Altitude: note(number, 'In AltitudeUnitofMeasure, mostly m'),
  AltitudeUnitofMeasure: text,
  Geometry: note(text, 'WKT'),
  Default: note(flag, 'Whether this position stands for the record'),
}

/** Where the record is; the position that filters use is the default one, or of type `position`. */
export const positions = list(position)

/** Positions under a name. */
export const namedPositions = keyed(object(position))

/** The same positions keyed by their type, for old clients. */
export const positionsByType = note(namedPositions, 'Keyed by Gpstype')

/** The position as members of the record itself, for old clients. */
export const ownPosition = {
  Gpstype: text,
  Latitude: latitude,
  Longitude: longitude,
  Altitude: number,
  AltitudeUnitofMeasure: text,
}

/** Addresses of recorded ways. */
export const tracks = list({
  Id: text,
  GpxTrackDesc: perLanguage(text),
  GpxTrackUrl: text,
  Type: note(text, 'Such as overview or detailed'),
  Format: note(text, 'Such as gpx or kml'),
})

/** An outline, corner by corner. */
export const outline = list({ Latitude: latitude, Longitude: longitude })
