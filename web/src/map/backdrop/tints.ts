import type { Geometry } from 'geojson'
import { positionsOf } from './box.ts'

/**
 * A tint for each of some shapes, such that neighbours differ as long as there are enough tints.
 * Neighbours are those that share corners: shapes that divide a land do.
 */
export function toTints(
  geometries: readonly Exclude<Geometry, { readonly type: 'GeometryCollection' }>[],
  tints: number,
): readonly number[] {
  const owners = new Map<string, number[]>()
  for (const [index, geometry] of geometries.entries()) {
    for (const corner of new Set(positionsOf(geometry).map((position) => position.join()))) {
      const there = owners.get(corner)
      if (there === undefined) owners.set(corner, [index])
      else there.push(index)
    }
  }
  const neighbours = geometries.map(() => new Set<number>())
  for (const together of owners.values()) {
    for (const one of together) for (const other of together) neighbours[one]?.add(other)
  }
  const chosen: number[] = []
  for (const [index, near] of neighbours.entries()) {
    const uses = (tint: number) =>
      [...near].filter((other) => other < index && chosen[other] === tint).length
    // Of equally good tints the next one in turn, so that all are used.
    const order = Array.from({ length: tints }, (_, step) => (index + step) % tints)
    chosen.push(order.reduce((best, tint) => (uses(tint) < uses(best) ? tint : best)))
  }
  return chosen
}
