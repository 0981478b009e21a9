/** A coordinate reference system for places in requests and responses (OGC 18-058r1). */
export type ReferenceSystem = {
  /** URI of the system in requests and responses. */
  readonly uri: string
  readonly srid: number
  /** True if latitude comes first in the order of axes that the authority defines. */
  readonly isLatitudeFirst: boolean
  /** Decimal places of printed coordinates, precise to a millimetre or better. */
  readonly digits: number
}

const opengis = 'http://www.opengis.net/def/crs'

const metres = (srid: number): ReferenceSystem => ({
  uri: `${opengis}/EPSG/0/${String(srid)}`,
  srid,
  isLatitudeFirst: false,
  digits: 3,
})

/** WGS 84, longitude first: the default everywhere in this interface. */
export const crs84: ReferenceSystem = {
  uri: `${opengis}/OGC/1.3/CRS84`,
  srid: 4326,
  isLatitudeFirst: false,
  digits: 9,
}

/**
 * Supported systems: WGS 84 as CRS84 and as EPSG 4326 (latitude first), Web Mercator, and UTM zones
 * 32 and 33 on ETRS89 and on WGS 84.
 */
export const referenceSystems: readonly ReferenceSystem[] = [
  crs84,
  { uri: `${opengis}/EPSG/0/4326`, srid: 4326, isLatitudeFirst: true, digits: 9 },
  ...[3857, 25832, 25833, 32632, 32633].map(metres),
]

/**
 * Finds a system by its URI or by its short form, such as `EPSG:25832`.
 * @returns undefined if the hub does not support the system
 */
export function systemNamed(name: string): ReferenceSystem | undefined {
  const short = /^\[?(EPSG|OGC):(\w+)\]?$/i.exec(name)
  const [, authority = '', code = ''] = short ?? []
  const version = authority.toUpperCase() === 'OGC' ? '1.3' : '0'
  const uri =
    short === null ? name : `${opengis}/${authority.toUpperCase()}/${version}/${code.toUpperCase()}`
  return referenceSystems.find((system) => system.uri === uri)
}
