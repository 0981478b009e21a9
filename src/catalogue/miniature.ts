import type { Tally } from '../tally/index.ts'
import type { Extent, Miniature } from './schemas.ts'

/** Cells per degree, of about one kilometre each, in which places are counted. */
export const grid = { perLongitude: 64, perLatitude: 96 } as const

/** An occupied cell, by its column and row. */
export type Cell = readonly [x: number, y: number]

export function cellsOf(cells: Tally): readonly Cell[] {
  return [...cells.keys()].map((cell) => {
    const [x = '', y = ''] = cell.split(' ')
    return [Number(x), Number(y)] as const
  })
}

/** Share of cells ignored at each side, so that mistakes such as 0° 0° do not stretch the map. */
const outliers = 0.01

/** Edges are rounded to this many degrees, so that one new place does not shift all maps. */
const step = 1 / 8

/** Returns the box that contains nearly all cells, or undefined without cells. */
export function extentOf(cells: readonly Cell[]): Extent | undefined {
  if (cells.length === 0) return undefined
  const [west, east] = spanOf(cells.map(([x]) => x))
  const [south, north] = spanOf(cells.map(([, y]) => y))
  const down = (value: number) => Math.floor(value / step) * step
  const up = (value: number) => Math.ceil(value / step) * step
  return {
    west: down(west / grid.perLongitude),
    south: down(south / grid.perLatitude),
    east: up((east + 1) / grid.perLongitude),
    north: up((north + 1) / grid.perLatitude),
  }
}

function spanOf(values: readonly number[]): readonly [number, number] {
  const sorted = Float64Array.from(values).sort()
  const cut = Math.floor(sorted.length * outliers)
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0]
}

/** Columns of the picture, from the finest to the coarsest. */
const fineness = [64, 56, 48, 40, 32, 24, 16, 8]

/** Maximum number of characters in a path. */
const maxPathLength = 2000

/**
 * Draws the cells within the extent as dots, joining adjacent ones. Uses the finest resolution
 * whose path is short enough.
 */
export function drawMap(cells: readonly Cell[], extent: Extent): Miniature | null {
  for (const finest of fineness) {
    const size = sizeOf(extent, finest)
    const path = pathOf(cells, { extent, ...size })
    if (path === '') return null
    if (path.length <= maxPathLength) return { kind: 'map', viewBox: viewBoxOf(size), path }
  }
  return null
}

type Size = { readonly columns: number; readonly rows: number }

/** Returns the size of the picture. Degrees of longitude get shorter away from the equator. */
function sizeOf({ west, south, east, north }: Extent, finest: number): Size {
  const shortened = Math.max(0.05, Math.cos((((south + north) / 2) * Math.PI) / 180))
  const ratio = (north - south) / ((east - west) * shortened)
  return ratio > 1
    ? { columns: finest / ratio, rows: finest }
    : { columns: finest, rows: finest * ratio }
}

/** Returns the view box. Dots have integer coordinates and are centred in their unit square. */
function viewBoxOf({ columns, rows }: Size): string {
  return `-0.5 -0.5 ${round(columns)} ${round(rows)}`
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}

type Picture = Size & { readonly extent: Extent }

function pathOf(cells: readonly Cell[], picture: Picture): string {
  const taken = [...takenBy(cells, picture)].sort((one, other) => one - other)
  const width = Math.ceil(picture.columns)
  const parts: string[] = []
  for (let first = 0; first < taken.length;) {
    let last = first
    while (isBeside(taken[last], taken[last + 1], width)) last += 1
    const place = taken[first] ?? 0
    const [x, y] = [place % width, Math.floor(place / width)]
    parts.push(`M${String(x)} ${String(y)}h${String(last - first)}`)
    first = last + 1
  }
  return parts.join('')
}

/** Returns the numbers of the occupied dots, row by row from the north. */
function takenBy(cells: readonly Cell[], picture: Picture): ReadonlySet<number> {
  const { columns, rows, extent } = picture
  const { west, south, east, north } = extent
  const width = Math.ceil(columns)
  const taken = new Set<number>()
  for (const [x, y] of cells) {
    const across = ((x + 0.5) / grid.perLongitude - west) / (east - west)
    const down = (north - (y + 0.5) / grid.perLatitude) / (north - south)
    if (across < 0 || across >= 1 || down < 0 || down >= 1) continue
    taken.add(Math.floor(down * rows) * width + Math.floor(across * columns))
  }
  return taken
}

function isBeside(one: number | undefined, next: number | undefined, width: number): boolean {
  return one !== undefined && next === one + 1 && next % width !== 0
}

const columns = 64
const rows = 24
/** Number of months shown, including the current one. */
const months = 24

/** Draws how many records were last changed in each month, for data without a place on a map. */
export function drawChanges(changes: Tally, now: Date): Miniature | null {
  const counts = monthsUntil(now).map((month) => changes.get(month) ?? 0)
  const highest = Math.max(...counts)
  if (highest === 0) return null
  const points = counts.map((count, index) => {
    const x = roundToTenth(1 + (index * (columns - 2)) / (months - 1))
    // The square root keeps small months visible next to a large one.
    const y = roundToTenth(rows - 1 - Math.sqrt(count / highest) * (rows - 2))
    return `${x} ${y}`
  })
  const viewBox = `0 0 ${String(columns)} ${String(rows)}`
  return { kind: 'changes', viewBox, path: `M${points.join('L')}` }
}

function monthsUntil(now: Date): readonly string[] {
  return Array.from({ length: months }, (_, index) => {
    const back = months - 1 - index
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return month.toISOString().slice(0, 7)
  })
}

function roundToTenth(value: number): string {
  return String(Math.round(value * 10) / 10)
}
