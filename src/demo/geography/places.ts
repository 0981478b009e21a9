import { Type } from 'typebox'
import type { Static } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'

/**
 * The municipalities of the region: real names at roughly their real positions, so that the demo
 * can be shown on any map. Shapes, people and everything else in them are fictional.
 */

export const regionNames = {
  vinschgau: { de: 'Vinschgau', it: 'Val Venosta', en: 'Vinschgau Valley' },
  meran: { de: 'Meran und Umgebung', it: 'Merano e dintorni', en: 'Meran and environs' },
  bozen: { de: 'Bozen und Umgebung', it: 'Bolzano e dintorni', en: 'Bolzano and environs' },
  weinstrasse: { de: 'Südliche Weinstraße', it: 'Strada del Vino', en: 'Southern Wine Road' },
  schlern: { de: 'Schlern und Gröden', it: 'Sciliar e Val Gardena', en: 'Schlern and Val Gardena' },
  eisacktal: { de: 'Eisacktal', it: 'Valle Isarco', en: 'Eisack Valley' },
  wipptal: { de: 'Wipptal', it: 'Alta Valle Isarco', en: 'Wipp Valley' },
  pustertal: { de: 'Pustertal', it: 'Val Pusteria', en: 'Puster Valley' },
  gadertal: { de: 'Gadertal', it: 'Val Badia', en: 'Badia Valley' },
} as const

export type RegionKey = keyof typeof regionNames

export type Place = {
  readonly key: string
  readonly de: string
  readonly it: string
  readonly longitude: number
  readonly latitude: number
  /** Altitude of the village, in metres above sea level. */
  readonly altitude: number
  readonly zip: string
  /** How busy the place is, compared with a village: 1 to 40. */
  readonly weight: number
  readonly region: RegionKey
}

export const regionKeys: readonly RegionKey[] = [
  ...(['vinschgau', 'meran', 'bozen', 'weinstrasse', 'schlern'] as const),
  ...(['eisacktal', 'wipptal', 'pustertal', 'gadertal'] as const),
]

const row = Type.Tuple([
  Type.String({ description: 'German and Italian name, or the one name, with a bar between' }),
  Type.Number({ description: 'Longitude' }),
  Type.Number({ description: 'Latitude' }),
  Type.Number({ description: 'Metres above the sea, of the village' }),
  Type.String({ description: 'Postal code' }),
  Type.Number({ description: 'How busy it is, compared with a village: 1 to 40' }),
])

type Row = Static<typeof row>

const toPlace = (
  region: RegionKey,
  [names, longitude, latitude, altitude, zip, weight]: Row,
): Place => {
  const [de = names, it = de] = names.split('|')
  const key = de.toLowerCase().replaceAll(/[^a-zäöüß]+/g, '-')
  return { key, de, it, longitude, latitude, altitude, zip, weight, region }
}

const rows = readYaml(
  new URL('places.yaml', import.meta.url),
  Type.Record(Type.String(), Type.Array(row)),
)

/** All municipalities, region by region. */
export const places: readonly Place[] = regionKeys.flatMap((region) =>
  (rows[region] ?? []).map((row) => toPlace(region, row)),
)
