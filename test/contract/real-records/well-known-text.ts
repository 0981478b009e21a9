const types = new Map([
  ['POINT', 'Point'],
  ['LINESTRING', 'LineString'],
  ['POLYGON', 'Polygon'],
  ['MULTIPOLYGON', 'MultiPolygon'],
])

/**
 * Converts a geometry from well-known text, with or without a leading `SRID=…;`, to GeoJSON.
 * Numbers and brackets mean the same in both, so only the notation changes.
 * @throws Error for other types and forms
 */
export function fromWellKnownText(written: string): object {
  const [, name = '', body = ''] = /^(?:SRID=\d+;)?\s*([A-Z]+)\s*(\(.*\))$/s.exec(written) ?? []
  const type = types.get(name)
  if (type === undefined) throw new Error(`No geometry: ${written.slice(0, 40)}`)
  const json = body
    .replaceAll(/(-?[\d.]+) (-?[\d.]+)/g, '[$1,$2]')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  const positions: unknown = JSON.parse(json)
  const coordinates =
    type === 'Point' && Array.isArray(positions) ? [positions].flat(1)[0] : positions
  return { type, coordinates }
}
