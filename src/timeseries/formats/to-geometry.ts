/**
 * A geometry of GeoJSON, from a place as the database printed it: a point with its axes and reference
 * system, or a geometry with its own. RFC 7946 knows only WGS 84, which all of them are in.
 */
export function toGeometry(printed: string): string {
  const { x, y, srid: _srid, crs: _crs, ...geometry } = membersOf(JSON.parse(printed))
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return JSON.stringify(isPoint ? { type: 'Point', coordinates: [x, y] } : geometry)
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
