/** Longitude and latitude of a point as the database prints it: `{"x":11.35,"y":46.49,"srid":4326}`. */
const pattern = /^\{"x":(-?[\d.e+-]+),"y":(-?[\d.e+-]+),/

/** @returns undefined for an empty point, which is nowhere */
export function readPoint(printed: string): readonly [number, number] | undefined {
  const [, x, y] = pattern.exec(printed) ?? []
  return x === undefined || y === undefined ? undefined : [Number(x), Number(y)]
}
