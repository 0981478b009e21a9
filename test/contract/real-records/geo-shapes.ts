import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { ContentRecord } from './content-records.ts'
import { fromWellKnownText } from './well-known-text.ts'

const featureCollection = Type.Object({
  features: Type.Array(
    Type.Object({
      geometry: Type.Object({ type: Type.String(), coordinates: Type.Array(Type.Unknown()) }),
      properties: Type.Object({
        name: Type.String(),
        com_istat_code: Type.String(),
        op_id: Type.String(),
      }),
    }),
  ),
})

/** Converts outlines of municipalities in GeoJSON to GeoShape records. */
export function fromMunicipalities(read: unknown): readonly ContentRecord[] {
  return Parse(featureCollection, read).features.map(({ geometry, properties }) => ({
    Id: `IT.municipality.${properties.com_istat_code}`,
    Name: properties.name,
    Type: 'municipality',
    Country: 'IT',
    Srid: 'EPSG:4326',
    Source: 'istat',
    Mapping: { openpolis: { id: properties.op_id } },
    Geometry: geometry,
  }))
}

const storedShape = Type.Object({
  id: Type.String(),
  country: Type.String(),
  name: Type.String(),
  type: Type.String(),
  source: Type.String(),
  srid: Type.Integer(),
  licenseinfo: Type.Object({}),
  mapping: Type.Object({}),
  geometry_ewkt: Type.String(),
})

/**
 * Converts a row of the public system's table of shapes to a record. Its coordinates are in metres.
 */
export function fromStoredShape(read: unknown): readonly ContentRecord[] {
  const row = Parse(storedShape, read)
  return [
    {
      Id: row.id,
      Name: row.name,
      Type: row.type,
      Country: row.country,
      Srid: `EPSG:${String(row.srid)}`,
      Source: row.source,
      LicenseInfo: row.licenseinfo,
      Mapping: row.mapping,
      Geometry: fromWellKnownText(row.geometry_ewkt),
    },
  ]
}
