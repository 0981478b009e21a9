import { Type } from 'typebox'
import type { Conversion } from './convert.ts'
import { takenTypes } from './faults.ts'

const problem = Type.Ref('ProblemDetails')

const geojson = {
  description:
    'GeoJSON (RFC 7946): the geometry of the file. Several of a kind are a MultiPoint, MultiLineString or MultiPolygon, others a GeometryCollection',
  content: {
    'application/geo+json': {
      schema: Type.Object(
        {
          type: Type.String(),
          coordinates: Type.Optional(Type.Array(Type.Unknown())),
          geometries: Type.Optional(Type.Array(Type.Unknown())),
        },
        { description: 'A geometry, longitude first' },
      ),
    },
  },
}

const referer = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Address of the calling application' }),
)

const refusals = { 400: problem, 413: problem, 415: problem, 503: problem }

/** One point in each format. */
const exampleFiles = {
  KML: '<kml><Placemark><Point><coordinates>11,46.5</coordinates></Point></Placemark></kml>',
  GPX: '<gpx version="1.1"><wpt lat="46.5" lon="11"/></gpx>',
}

/** Which parts of a file to convert, for files that have several. */
function partsOf({ parts }: Conversion) {
  return Type.Optional(
    Type.Array(Type.Enum([...parts]), {
      minItems: 1,
      maxItems: parts.length,
      style: 'form',
      explode: false,
      description: `Which parts of the file to convert; absent: the first of these that it holds: ${parts.join(', ')}`,
    }),
  )
}

/** `GET /v1/GeoConverter/KmlToGeoJson` and the like (interface 4.7). */
export const urlOperation = (conversion: Conversion) => ({
  operationId: `convert${conversion.name}AtUrl`,
  summary: `Convert a ${conversion.name} file at a URL to GeoJSON`,
  description:
    'Fetched are http and https URLs of the public internet at the ports 80, 443, 8080 and 8443, with at most 3 redirects, within 10 seconds, up to 10 MiB.',
  tags: ['Content'],
  querystring: Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'Where the file is',
      examples: [`https://example.org/area.${conversion.name.toLowerCase()}`],
    }),
    parts: partsOf(conversion),
    referer,
  }),
  response: { 200: geojson, ...refusals, 404: problem, 504: problem },
})

/** `POST /v1/GeoConverter/KmlToGeoJson` and the like (interface 4.7). */
export const uploadOperation = (conversion: Conversion) => ({
  operationId: `convert${conversion.name}`,
  summary: `Convert a ${conversion.name} file to GeoJSON`,
  description: 'The file is the body, or the first file of a form; at most 10 MiB.',
  tags: ['Content'],
  querystring: Type.Object({ parts: partsOf(conversion), referer }),
  body: {
    content: {
      ...Object.fromEntries(
        takenTypes.map((type) => [
          type,
          { schema: Type.String({ examples: [exampleFiles[conversion.name]] }) },
        ]),
      ),
      'multipart/form-data': {
        schema: Type.Object({ file: Type.String({ format: 'binary' }) }),
      },
    },
  },
  response: { 200: geojson, ...refusals },
})
