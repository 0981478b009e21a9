import { isRecord } from '../datex/index.ts'
import type { Value } from '../datex/index.ts'

/**
 * The polygons of an Area of v2 as v3 has them: rings of a GML polygon, latitude before longitude, which end where
 * they begin.
 */
export function toMultiPolygon(area: Value): Value {
  const extended = fieldsIn(fieldsIn(area['areaExtension'])['areaExtended'])
  const rings = listIn(extended['polygonArea']).map((polygon) =>
    listIn(polygon['pointCoordinates']).flatMap((point) =>
      toPair(fieldsIn(point['pointCoordinates'])),
    ),
  )
  const gmlPolygon = rings
    .filter((ring) => ring.length >= 3)
    .map((ring) => ({ exterior: { posList: [...ring, ring[0]].join(' ') } }))
  return gmlPolygon.length === 0 ? {} : { gmlMultiPolygon: { gmlPolygon } }
}

function toPair({ latitude, longitude }: Value): readonly string[] {
  const pair = [[latitude, 90] as const, [longitude, 180] as const].map(([value, most]) =>
    typeof value === 'number' && Math.abs(value) <= most ? toPlain(value) : undefined,
  )
  return pair.includes(undefined) ? [] : [pair.join(' ')]
}

/** Without an exponent, which the schema does not allow there; a tenth of a nanometre is enough. */
function toPlain(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(15) : text
}

function fieldsIn(value: unknown): Value {
  return isRecord(value) ? value : {}
}

function listIn(value: unknown): readonly Value[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
