import { notUnderstood, shown, tooLarge } from './faults.ts'
import type { Place } from './faults.ts'

/** Numbers as a file writes them: longitude, latitude and optionally altitude in metres. */
export type Written = {
  readonly longitude: string
  readonly latitude: string
  readonly altitude?: string | undefined
}

/** Counts the positions of a file. */
export type Budget = { readonly spend: () => void }

const maxPositions = 1_000_000

/**
 * Returns a budget of positions.
 * @throws AppError HUB-GEO-004 from `spend`, if a file has more positions than are accepted
 */
export function createBudget(most = maxPositions): Budget {
  let spent = 0
  return {
    spend: () => {
      spent += 1
      if (spent > most) throw tooLarge(`The file has more than ${String(most)} positions.`)
    },
  }
}

/**
 * Sequence of positions, stored as the JSON that they become. As objects, the positions of a large
 * file would take ten times the memory, and printing them at the end would block other requests.
 */
export type Line = {
  /** @param at returns the place of the position, for errors */
  readonly add: (written: Written, at: () => Place) => void
  /** Closes a ring by repeating its first position, unless it is closed already. */
  readonly close: () => void
  readonly count: () => number
  /** Returns the positions, separated by commas, in pieces of some ten thousand characters. */
  readonly pieces: () => readonly string[]
}

const maxWaiting = 1000

export function createLine(budget: Budget): Line {
  const pieces: string[] = []
  let waiting: string[] = []
  let count = 0
  let ends: { readonly first: Position; readonly last: Position } | undefined
  const put = (position: Position) => {
    budget.spend()
    count += 1
    ends = { first: ends?.first ?? position, last: position }
    waiting.push(position.text)
    if (waiting.length >= maxWaiting) flush()
  }
  const flush = () => {
    if (waiting.length > 0) pieces.push(waiting.join(','))
    waiting = []
  }
  return {
    add: (written, at) => {
      put(toPosition(written, at))
    },
    close: () => {
      if (ends !== undefined && ends.first.place !== ends.last.place) put(ends.first)
    },
    count: () => count,
    pieces: () => {
      flush()
      return pieces
    },
  }
}

type Position = { readonly text: string; readonly place: string }

function toPosition({ longitude, latitude, altitude }: Written, at: () => Place): Position {
  const [x, y] = [toNumber(longitude, at), toNumber(latitude, at)]
  if (Math.abs(x) > 180 || Math.abs(y) > 90) {
    const detail = `${shown(`${longitude} ${latitude}`)} is not a valid longitude and latitude.`
    const isSwapped = Math.abs(x) <= 90 && Math.abs(y) <= 180
    throw notUnderstood(detail, at(), isSwapped ? 'The axes seem to be swapped.' : undefined)
  }
  const place = `${print(x)},${print(y)}`
  const known = toAltitude(altitude)
  const height = known === undefined ? '' : `,${print(toNumber(known, at))}`
  return { place, text: `[${place}${height}]` }
}

/** Returns the altitude. Devices that do not know it write NaN or nothing. */
function toAltitude(text = ''): string | undefined {
  const written = text.trim()
  return written === '' || /^[+-]?nan$/i.test(written) ? undefined : written
}

const numeral = /^[+-]?(?:\d{1,100}(?:\.\d{0,100})?|\.\d{1,100})(?:e[+-]?\d{1,5})?$/i

function toNumber(written: string, at: () => Place): number {
  const number = numeral.test(written) ? Number(written) : Number.NaN
  if (!Number.isFinite(number))
    throw notUnderstood(`${shown(written)} is not a valid number.`, at())
  return number
}

/**
 * Prints the shortest text that parses to the same number. Zero has no sign, so that every JSON
 * parser reads it alike.
 */
const print = (number: number) => String(number === 0 ? 0 : number)
