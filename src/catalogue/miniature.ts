import type { Tally } from '../tally/index.ts'
import type { Extent, Miniature } from './schemas.ts'

/** Cells of about one kilometre, in which places are counted: their number in a degree. */
export const grid = { perLongitude: 64, perLatitude: 96 } as const

/** A cell that is taken, by its column and row. */
export type Cell = readonly [x: number, y: number]

export function cellsOf(cells: Tally): readonly Cell[] {
  return [...cells.keys()].map((cell) => {
    const [x = '', y = ''] = cell.split(' ')
    return [Number(x), Number(y)] as const
  })
}

/** So small a share of the cells at each side does not stretch the map: mistakes such as 0° 0°. */
const outliers = 0.01

/** Steps of the edges in degrees, so that one new place does not move all maps. */
const step = 1 / 8

/** The box in which nearly all of the cells lie; undefined for none. */
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

/** Characters of a path at most. */
const longestPath = 2000

/** Where the cells lie in the extent: dots, those side by side joined. The finest that is short enough. */
export function drawMap(cells: readonly Cell[], extent: Extent): Miniature | null {
  for (const finest of fineness) {
    const size = sizeOf(extent, finest)
    const path = pathOf(cells, { extent, ...size })
    if (path === '') return null
    if (path.length <= longestPath) return { kind: 'map', viewBox: viewBoxOf(size), path }
  }
  return null
}

type Size = { readonly columns: number; readonly rows: number }

/** A degree of longitude is shorter the farther from the equator. */
function sizeOf({ west, south, east, north }: Extent, finest: number): Size {
  const shortened = Math.max(0.05, Math.cos((((south + north) / 2) * Math.PI) / 180))
  const ratio = (north - south) / ((east - west) * shortened)
  return ratio > 1
    ? { columns: finest / ratio, rows: finest }
    : { columns: finest, rows: finest * ratio }
}

/** Dots have whole coordinates and lie in the middle of a unit. */
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

/** Dots that are taken, row by row from the north. */
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
/** Months that are shown, the last of them the present one. */
const months = 24

/** How many records changed last in each of the last months: a line, for what lies nowhere on a map. */
export function drawChanges(changes: Tally, now: Date): Miniature | null {
  const counts = monthsUntil(now).map((month) => changes.get(month) ?? 0)
  const highest = Math.max(...counts)
  if (highest === 0) return null
  const points = counts.map((count, index) => {
    const x = roundToTenth(1 + (index * (columns - 2)) / (months - 1))
    // The square root lets small months be seen beside a large one.
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
