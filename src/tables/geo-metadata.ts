import type { KeyValue } from 'hyparquet-writer'
import { membersOf } from './columns.ts'
import type { TypedColumn, Vector } from './columns.ts'
import type { Bounds } from './geometry.ts'

/** What the geometries of a column are, as far as they are written. */
type Summary = { readonly types: Set<string>; bounds: Bounds | undefined }

/** Sees the places of a table as they are written, for the metadata of GeoParquet at its end. */
export function notePlaces(columns: readonly TypedColumn[]) {
  const summaries = new Map(
    columns
      .filter(({ kind }) => kind === 'geometry')
      .map(({ name }): [string, Summary] => [name, { types: new Set(), bounds: undefined }]),
  )
  return {
    note: ({ name }: TypedColumn, vectors: readonly Vector[]): void => {
      const summary = summaries.get(name)
      if (summary === undefined) return
      for (const vector of vectors) {
        if (vector.shape !== 'geometries') continue
        for (const { type, bounds } of vector.shapes) {
          summary.types.add(type)
          summary.bounds = summary.bounds === undefined ? bounds : around(summary.bounds, bounds)
        }
      }
    },
    metadata: (): KeyValue[] | undefined => toMetadata(columns, summaries),
  }
}

function around(one: Bounds, other: Bounds): Bounds {
  const [low, high] = [one.low, one.high]
  return {
    low: [
      Math.min(low[0], other.low[0]),
      Math.min(low[1], other.low[1]),
      Math.min(low[2], other.low[2]),
    ],
    high: [
      Math.max(high[0], other.high[0]),
      Math.max(high[1], other.high[1]),
      Math.max(high[2], other.high[2]),
    ],
  }
}

/**
 * Marks places for map programs: GeoParquet 1.1, longitude first, in WGS 84 (OGC:CRS84, its default).
 * @returns undefined when there are none: an empty list would be written without the type of its elements
 */
function toMetadata(
  columns: readonly TypedColumn[],
  summaries: ReadonlyMap<string, Summary>,
): KeyValue[] | undefined {
  const places = columns.flatMap((column) => {
    const summary = summaries.get(column.name)
    if (summary !== undefined) return [[column.name, describe(column, summary, columns)] as const]
    return column.kind === 'point' ? [[column.name, point] as const] : []
  })
  const [primary] = places
  if (primary === undefined) return undefined
  const geo = {
    version: '1.1.0',
    primary_column: primary[0],
    columns: Object.fromEntries(places),
  }
  return [{ key: 'geo', value: JSON.stringify(geo) }]
}

const point = { encoding: 'point', geometry_types: ['Point'] }

function describe(
  { cell }: TypedColumn,
  { types, bounds }: Summary,
  columns: readonly TypedColumn[],
) {
  const box = columns.find(({ kind, cell: { index } }) => kind === 'bbox' && index === cell.index)
  const covering = box && {
    bbox: Object.fromEntries(membersOf.bbox.map((side) => [side, [box.name, side]])),
  }
  const names = [...types].sort()
  return {
    encoding: 'WKB',
    geometry_types: names,
    ...(bounds === undefined ? {} : { bbox: toBox(bounds, names) }),
    ...(covering === undefined ? {} : { covering }),
  }
}

/** With heights only where every geometry has them. */
function toBox({ low, high }: Bounds, types: readonly string[]): readonly number[] {
  const axes = types.every((type) => type.endsWith(' Z')) ? 3 : 2
  return [...low.slice(0, axes), ...high.slice(0, axes)]
}
