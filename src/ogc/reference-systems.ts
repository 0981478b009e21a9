/** A coordinate reference system in which places can be read and requested (OGC 18-058r1). */
export type ReferenceSystem = {
  /** As requests and answers name it. */
  readonly uri: string
  readonly srid: number
  /** In the order of its axes, as its authority defines them. */
  readonly isLatitudeFirst: boolean
  /** Places of coordinates behind the decimal point: a few millimetres. */
  readonly digits: number
}

const opengis = 'http://www.opengis.net/def/crs'

const metres = (srid: number): ReferenceSystem => ({
  uri: `${opengis}/EPSG/0/${String(srid)}`,
  srid,
  isLatitudeFirst: false,
  digits: 3,
})

/** WGS 84, longitude first: the default of every part of the interface. */
export const crs84: ReferenceSystem = {
  uri: `${opengis}/OGC/1.3/CRS84`,
  srid: 4326,
  isLatitudeFirst: false,
  digits: 9,
}

/** WGS 84 as EPSG has it, latitude first; Web Mercator; UTM zones 32 and 33 on ETRS89 and on WGS 84. */
export const referenceSystems: readonly ReferenceSystem[] = [
  crs84,
  { uri: `${opengis}/EPSG/0/4326`, srid: 4326, isLatitudeFirst: true, digits: 9 },
  ...[3857, 25832, 25833, 32632, 32633].map(metres),
]

/** By its URI, or in the short form of `EPSG:25832`. @returns undefined for one that there is not */
export function systemNamed(name: string): ReferenceSystem | undefined {
  const short = /^\[?(EPSG|OGC):(\w+)\]?$/i.exec(name)
  const [, authority = '', code = ''] = short ?? []
  const version = authority.toUpperCase() === 'OGC' ? '1.3' : '0'
  const uri =
    short === null ? name : `${opengis}/${authority.toUpperCase()}/${version}/${code.toUpperCase()}`
  return referenceSystems.find((system) => system.uri === uri)
}
