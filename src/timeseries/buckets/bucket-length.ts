import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'

/**
 * How long a bucket is: a part of a day by the clock, or whole days or months of the calendar, which are
 * not all equally long.
 */
export type BucketLength =
  | { readonly kind: 'clock'; readonly milliseconds: number }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'months'; readonly months: number }

type Kind = BucketLength['kind']

/** `size` in seconds, days or months. */
type Unit = { readonly name: string; readonly kind: Kind; readonly size: number }

const secondsOfDay = 86_400

const second: Omit<Unit, 'name'> = { kind: 'clock', size: 1 }
const minute: Omit<Unit, 'name'> = { kind: 'clock', size: 60 }
const hour: Omit<Unit, 'name'> = { kind: 'clock', size: 3600 }
const day: Omit<Unit, 'name'> = { kind: 'days', size: 1 }
const week: Omit<Unit, 'name'> = { kind: 'days', size: 7 }
const month: Omit<Unit, 'name'> = { kind: 'months', size: 1 }
const year: Omit<Unit, 'name'> = { kind: 'months', size: 12 }

/** `m` comes last of those that begin so. */
const shortUnits: readonly Unit[] = [
  { name: 'min', ...minute },
  { name: 'mo', ...month },
  { name: 's', ...second },
  { name: 'm', ...minute },
  { name: 'h', ...hour },
  { name: 'd', ...day },
  { name: 'w', ...week },
  { name: 'y', ...year },
]

/** Those of ISO 8601, in the order in which they come there. */
const dateUnits: readonly Unit[] = [
  { name: 'Y', ...year },
  { name: 'M', ...month },
  { name: 'W', ...week },
  { name: 'D', ...day },
]
const timeUnits: readonly Unit[] = [
  { name: 'H', ...hour },
  { name: 'M', ...minute },
  { name: 'S', ...second },
]

/** What may be written, for messages. */
export const bucketForms = ['15m', '1h', '1d', '1w', '1mo', '1y', 'PT15M', 'P1D', 'P3M'] as const

/** A thousand years. */
const longest: Readonly<Record<Kind, number>> = {
  clock: secondsOfDay,
  days: 365_250,
  months: 12_000,
}

/**
 * Reads how long buckets are: length = amount | iso
 *
 * Amounts of one kind add up, `PT1H30M` is 90 minutes; 24 hours are a day.
 * @throws LanguageError with the position and what could have stood there
 */
export function parseBucketLength(source: string): BucketLength {
  const cursor = createCursor(source)
  const amounts = accepts(cursor, 'P') ? readIso(cursor) : [readAmount(cursor, shortUnits)]
  if (!cursor.isAtEnd()) throw cursor.fail('the end')
  return toLength(amounts)
}

type Amount = { readonly unit: Unit; readonly count: number; readonly position: number }

/** amount = digit , { digit } , unit */
function readAmount(cursor: Cursor, units: readonly Unit[]): Amount {
  const position = cursor.position()
  const digits = cursor.match(/\d{1,6}/y)
  if (digits === undefined) throw cursor.fail('a whole number of at most 6 digits')
  const unit = units.find(({ name }) => accepts(cursor, name))
  if (unit === undefined) throw cursor.fail(...units.map(({ name }) => `"${name}"`))
  return { unit, count: Number(digits), position }
}

/** iso = "P" , ( { amount } , "T" , amount , { amount } | amount , { amount } ) */
function readIso(cursor: Cursor): readonly Amount[] {
  const dates = isBeforeTime(cursor) ? [] : readAmounts(cursor, dateUnits)
  return accepts(cursor, 'T') ? [...dates, ...readAmounts(cursor, timeUnits)] : dates
}

/** At least one amount; each unit once, and after those that are longer. */
function readAmounts(cursor: Cursor, units: readonly Unit[]): readonly Amount[] {
  const first = readAmount(cursor, units)
  const left = units.slice(units.indexOf(first.unit) + 1)
  const isOver = cursor.isAtEnd() || isBeforeTime(cursor) || left.length === 0
  return isOver ? [first] : [first, ...readAmounts(cursor, left)]
}

function isBeforeTime(cursor: Cursor): boolean {
  return cursor.match(/(?=t)/iy) !== undefined
}

/** ISO 8601 has capitals; small letters say the same. */
function accepts(cursor: Cursor, letters: string): boolean {
  return cursor.accept(letters) || cursor.accept(letters.toLowerCase())
}

function toLength(written: readonly Amount[]): BucketLength {
  // Programs write every part, such as P0DT15M.
  const amounts = written.filter(({ count }) => count > 0)
  const kinds = new Set(amounts.map(({ unit: { kind } }) => kind))
  const [kind = 'clock', other] = kinds
  const mixed = amounts.find(({ unit }) => unit.kind === other)
  if (mixed !== undefined) {
    throw new LanguageError(
      `A bucket of ${namesOf[kind]} and ${namesOf[mixed.unit.kind]} has no certain length: not every day has 24 hours, nor every month 30 days.`,
      { position: mixed.position, expected: bucketForms },
    )
  }
  const size = amounts.reduce((sum, { unit, count }) => sum + unit.size * count, 0)
  assertLength(kind, size)
  if (kind === 'months') return { kind, months: size }
  if (kind === 'days') return { kind, days: size }
  return size === secondsOfDay ? { kind: 'days', days: 1 } : { kind, milliseconds: size * 1000 }
}

function assertLength(kind: Kind, size: number): void {
  const problem = size === 0 ? 'A bucket of no length holds nothing.' : tooLong[kind]
  if (size > 0 && size <= longest[kind]) return
  throw new LanguageError(problem, { position: 0, expected: bucketForms })
}

const namesOf: Readonly<Record<Kind, string>> = {
  clock: 'hours, minutes or seconds',
  days: 'days',
  months: 'months',
}

const tooLong: Readonly<Record<Kind, string>> = {
  clock: 'Hours, minutes and seconds make at most a day; longer buckets are counted in days.',
  days: 'A bucket is at most a thousand years long.',
  months: 'A bucket is at most a thousand years long.',
}
