import { geojsonToWkb } from 'hyparquet-writer'
import type { TextRow } from '../storage/index.ts'
import { isText, markValidity, readerOf } from './columns.ts'
import type { Cell, TypedColumn, Vector } from './columns.ts'
import { epochReader } from './epoch-reader.ts'
import { toShape } from './geometry.ts'
import type { Shape } from './geometry.ts'

/** Reads the values of a column from some rows. Must be called with the rows in order. */
type ToVector = (rows: readonly TextRow[]) => Vector

type Read = ReturnType<typeof readerOf>

/** Reports whether many rows share the texts of a column, so that each text is written once. */
export function isShared({ kind, cell: { of } }: TypedColumn): boolean {
  return of !== undefined && (kind === 'text' || kind === 'json' || kind === 'geojson')
}

/** Returns readers of columns. A value shown in several columns, such as the time, is read once. */
export function vectorReaders(columns: readonly TypedColumn[]): readonly ToVector[] {
  const known = new Map<string, ToVector>()
  const shapes = new Map<number, ToShapes>()
  return columns.map((column) => {
    const { kind, part, cell } = column
    const name = [kind, part, cell.index, cell.of?.key].join(' ')
    const reader = known.get(name) ?? rememberingLast(orNone(cell, readerFor(column, shapes)))
    known.set(name, reader)
    return reader
  })
}

/**
 * Returns an empty vector if no row has a value. Most cells of records are empty, and checking that
 * takes a tenth of the time of reading them.
 */
function orNone({ index, of }: Cell, read: ToVector): ToVector {
  if (of !== undefined) return read
  return (rows) => {
    for (const row of rows) if ((row[index] ?? null) !== null) return read(rows)
    return { shape: 'none', rows: rows.length }
  }
}

/** Returns the reader of a column. A geometry and its bounds share one. */
function readerFor(column: TypedColumn, shapes: Map<number, ToShapes>): ToVector {
  const { kind, cell } = column
  if (kind !== 'geometry' && kind !== 'bbox') return vectorReader(kind, column)
  const read = shapes.get(cell.index) ?? rememberingLast(shapesOf(readerOf(cell)))
  shapes.set(cell.index, read)
  return kind === 'geometry' ? geometriesOf(read) : boxesOf(read)
}

function rememberingLast<Result>(
  read: (rows: readonly TextRow[]) => Result,
): (rows: readonly TextRow[]) => Result {
  let last: { readonly rows: readonly TextRow[]; readonly result: Result } | undefined
  return (rows) => {
    if (last?.rows !== rows) last = { rows, result: read(rows) }
    return last.result
  }
}

function vectorReader(
  kind: Exclude<TypedColumn['kind'], 'geometry' | 'bbox'>,
  column: TypedColumn,
): ToVector {
  const { cell, part } = column
  const read = readerOf(cell)
  switch (kind) {
    case 'number':
      return numbersOf(read, part === undefined ? Number : numberOfJson)
    case 'integer':
    case 'bigint':
    case 'instant':
      return numbersOf(read, Number)
    case 'boolean':
      return numbersOf(read, (text) => (text === 't' ? 1 : 0))
    case 'time':
      return numbersOf(read, epochReader())
    case 'point':
      return pointsOf(read)
    case 'text':
    case 'json':
    case 'geojson':
      if (isShared(column)) return sharedTextsOf(cell)
      return textsOf(read, part === undefined ? asItIs : parts[kind === 'text' ? 'text' : 'json'])
  }
}

/** @param decode returns undefined for values that the column does not show */
function numbersOf(read: Read, decode: (text: string) => number | undefined): ToVector {
  return (rows) => {
    const values = new Float64Array(rows.length)
    const validity = markValidity(rows.length)
    let place = 0
    for (const row of rows) {
      const text = read(row)
      const value = text === null || text === undefined ? undefined : decode(text)
      if (value === undefined) validity.setNull(place)
      else values[place] = value
      place += 1
    }
    return { shape: 'numbers', values, validity: validity.end() }
  }
}

function pointsOf(read: Read): ToVector {
  return (rows) => {
    const [x, y] = [new Float64Array(rows.length), new Float64Array(rows.length)]
    const validity = markValidity(rows.length)
    rows.forEach((row, place) => {
      const text = read(row)
      const point = text === null || text === undefined ? undefined : readPoint(text)
      if (point === undefined) validity.setNull(place)
      else [x[place], y[place]] = point
    })
    return { shape: 'structs', members: [x, y], validity: validity.end() }
  }
}

type ToShapes = (rows: readonly TextRow[]) => readonly (Shape | undefined)[]

function shapesOf(read: Read): ToShapes {
  return (rows) =>
    rows.map((row) => {
      const text = read(row)
      return text === null || text === undefined ? undefined : toShape(JSON.parse(text))
    })
}

function geometriesOf(read: ToShapes): ToVector {
  return (rows) => {
    const all = read(rows)
    const shapes = all.filter((shape) => shape !== undefined)
    const values = all.map((shape) => (shape === undefined ? null : geojsonToWkb(shape.geometry)))
    return { shape: 'geometries', values, shapes }
  }
}

function boxesOf(read: ToShapes): ToVector {
  return (rows) => {
    const sides = [0, 1, 2, 3].map(() => new Float64Array(rows.length))
    const validity = markValidity(rows.length)
    read(rows).forEach((shape, row) => {
      if (shape === undefined) {
        validity.setNull(row)
        return
      }
      const { low, high } = shape.bounds
      for (const [side, value] of [low[0], low[1], high[0], high[1]].entries()) {
        const values = sides[side]
        if (values !== undefined) values[row] = value
      }
    })
    return { shape: 'structs', members: sides, validity: validity.end() }
  }
}

function textsOf(read: Read, decode: (text: string) => string | null): ToVector {
  return (rows) => {
    const values = rows.map((row) => {
      const text = read(row)
      return text === null || text === undefined ? null : decode(text)
    })
    return { shape: 'texts', values }
  }
}

/** If there are more than this many shared texts per row, only the texts of the rows are used. */
const fewRows = 4

function sharedTextsOf(cell: Cell): ToVector {
  const { placeOf, takeAll, texts } = shareTexts(cell)
  const { index, of } = cell
  const key = of?.key ?? index
  return (rows) => {
    // Usually all are needed in the end, and adding some later writes the whole list again.
    if (rows.length * fewRows >= (of?.rows.size ?? 0)) takeAll()
    const places = new Int32Array(rows.length)
    const validity = markValidity(rows.length)
    let row = 0
    for (const { [key]: id } of rows) {
      const place = placeOf(id ?? '')
      if (place === -1) validity.setNull(row)
      else places[row] = place
      row += 1
    }
    return { shape: 'shared', places, validity: validity.end(), texts: texts() }
  }
}

const asItIs = (text: string) => text

/**
 * Parses a JSON value if it is a number. The first character decides: a text starts with a quote, a
 * number with a digit or a minus sign.
 */
function numberOfJson(json: string): number | undefined {
  return kindOfJson(json) === 'number' ? Number(json) : undefined
}

const parts = {
  text: (json: string) => (kindOfJson(json) === 'text' ? String(JSON.parse(json)) : null),
  json: (json: string) => (kindOfJson(json) === 'json' ? json : null),
}

function kindOfJson(json: string): 'number' | 'text' | 'json' {
  const first = json.charCodeAt(0)
  if (first === quote) return 'text'
  return first === minus || (first >= zero && first <= nine) ? 'number' : 'json'
}

const [quote, minus, zero, nine] = [0x22, 0x2d, 0x30, 0x39] as const

/**
 * Longitude and latitude of a point as printed by the database:
 * `{"x":11.35,"y":46.49,"srid":4326}`.
 */
const pattern = /^\{"x":(-?[\d.e+-]+),"y":(-?[\d.e+-]+),/

/** @returns undefined for an empty point */
function readPoint(printed: string): readonly [number, number] | undefined {
  const [, x, y] = pattern.exec(printed) ?? []
  return x === undefined || y === undefined ? undefined : [Number(x), Number(y)]
}

type SharedTexts = {
  /** Returns the index of an id's text among the shared texts, or -1 if it has none. */
  readonly placeOf: (id: string) => number
  /** Adds all shared texts that are known so far. */
  readonly takeAll: () => void
  /** Returns the texts added so far. A list is never changed, only replaced by a longer one. */
  readonly texts: () => readonly string[]
}

/**
 * Collects the texts that many rows share, each once. An index never changes, so a reader can use
 * the latest list for any rows.
 */
function shareTexts({ index, of }: Cell): SharedTexts {
  // Ids are whole numbers, for which an array is three times as fast as a map.
  const placeOfId: number[] = []
  const placeOfText = new Map<string, number>()
  const texts: string[] = []
  let list: readonly string[] = []
  const take = (id: string): number => {
    const text = of?.rows.get(id)?.[index]
    if (text === null || text === undefined) return -1
    const place = placeOfText.get(text) ?? texts.push(text) - 1
    placeOfText.set(text, place)
    placeOfId[Number(id)] = place
    return place
  }
  return {
    placeOf: (id) => placeOfId[Number(id)] ?? take(id),
    takeAll: () => {
      for (const id of of?.rows.keys() ?? []) if (placeOfId[Number(id)] === undefined) take(id)
    },
    texts: () => {
      if (list.length < texts.length) list = [...texts]
      return list
    },
  }
}

/** Maximum number of rows and of characters in a piece, which is held in memory. */
const largest = { rows: 16_384, characters: 1_000_000 } as const

type Gathering = {
  readonly columns: readonly TypedColumn[]
  readonly showNull: boolean
  /**
   * How often to write a text that many rows share, such as the metadata of a station: once in the
   * whole response, or once in each piece.
   */
  readonly sharedTexts: 'once' | 'in each piece'
}

/** Gathers rows until there are enough for a piece. */
export function gatherRows({ columns, showNull, sharedTexts }: Gathering) {
  const readers = columns.map(({ cell }) => readerOf(cell))
  const isShown = (row: TextRow) =>
    showNull || readers.some((read) => (read(row) ?? undefined) !== undefined)
  const texts = columns.filter(({ kind }) => isText(kind))
  const ownOf = ownCharacters(texts.filter(({ cell: { of } }) => of === undefined))
  const shared = sharedCharacters(sharedTexts === 'once' ? [] : texts.filter(isShared))
  let rows: TextRow[] = []
  let characters = 0
  return {
    /**
     * Adds rows. As in the other formats, a row in which every shown column is null is omitted
     * (reference 1.12).
     */
    add: (more: readonly TextRow[]) => {
      for (const row of more) {
        if (!isShown(row)) continue
        rows.push(row)
        characters += ownOf(row) + shared.of(row)
      }
    },
    isEnough: () => rows.length >= largest.rows || characters >= largest.characters,
    take: (): readonly TextRow[] => {
      const taken = rows
      rows = []
      characters = 0
      shared.forget()
      return taken
    },
  }
}

/** Counts the characters of texts that belong to this row only. */
function ownCharacters(columns: readonly TypedColumn[]): (row: TextRow) => number {
  const places = columns.map(({ cell: { index } }) => index)
  return (row) => {
    let sum = 0
    for (const place of places) sum += row[place]?.length ?? 0
    return sum
  }
}

/** Counts the characters of shared texts that no earlier row of the piece has. */
function sharedCharacters(columns: readonly TypedColumn[]) {
  const known = columns.map(({ cell }) => ({
    read: readerOf(cell),
    key: cell.of?.key ?? 0,
    ids: new Set<string>(),
  }))
  const newIn = (row: TextRow, { read, key, ids }: (typeof known)[number]) => {
    const id = row[key] ?? ''
    if (ids.has(id)) return 0
    ids.add(id)
    return read(row)?.length ?? 0
  }
  return {
    of: (row: TextRow) => known.reduce((sum, one) => sum + newIn(row, one), 0),
    forget: () => {
      for (const { ids } of known) ids.clear()
    },
  }
}
