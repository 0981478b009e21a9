import { Type } from 'typebox'
import type { TSchema } from 'typebox'

/** Size of each unit in the smallest unit of its dimension, largest first. */
const units = {
  time: { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1000, ms: 1 },
  size: { GiB: 1_073_741_824, MiB: 1_048_576, KiB: 1024, B: 1 },
} as const

type Dimension = keyof typeof units
type Unit = keyof (typeof units)['time'] | keyof (typeof units)['size']

type Bounds = {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  readonly description: string
}

/**
 * Describes a setting that is written with its unit, such as `30s` or `10MiB`, and used as a number
 * of `unit`.
 */
export function quantity(unit: Unit, bounds: Bounds) {
  return Type.Integer({ unit, ...bounds })
}

/** Returns the unit of a setting's number, or undefined for a plain number or text. */
export function unitOf(schema: TSchema): Unit | undefined {
  const unit: unknown = 'unit' in schema ? schema.unit : undefined
  return [...Object.keys(units.time), ...Object.keys(units.size)].find(
    (one): one is Unit => one === unit,
  )
}

/** Prints a quantity in the largest unit that needs no fraction: `30000` of `ms` is `30s`. */
export function printQuantity(count: number, unit: Unit): string {
  const scale = scaleOf(unit)
  const all = count * (scale.get(unit) ?? 1)
  for (const [larger, size] of scale) {
    if (all !== 0 && all % size === 0) return `${String(all / size)}${larger}`
  }
  return '0'
}

/**
 * Parses a quantity into a number of `unit`. A number without a unit is one of `unit`, as in older
 * releases.
 * @returns undefined if it is not a quantity of this dimension, or not a whole number of `unit`
 */
export function readQuantity(text: string, unit: Unit): number | undefined {
  const [, digits, written = ''] = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(text) ?? []
  const scale = scaleOf(unit)
  const [own, size] = [scale.get(unit), scale.get(written === '' ? unit : written)]
  if (digits === undefined || own === undefined || size === undefined) return undefined
  // 1.001 s times 1000 is 1000.9999999999999 ms.
  const count = Number(((Number(digits) * size) / own).toFixed(6))
  return Number.isInteger(count) ? count : undefined
}

/** Reports whether a quantity has no unit. Zero needs none. */
export function lacksUnit(text: string): boolean {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) && Number(text) !== 0
}

/** Describes the accepted values: `a time such as 30s (in d, h, min, s or ms), 1s to 1h`. */
export function describeQuantity(schema: TSchema, unit: Unit): string {
  const shown = 'default' in schema && Number(schema.default) > 0 ? Number(schema.default) : 30
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(scaleOf(unit).keys())
  const [least, most] = ['minimum', 'maximum'].map((bound) =>
    printQuantity(Number(Reflect.get(schema, bound)), unit),
  )
  return `a ${dimensionOf(unit)} such as ${printQuantity(shown, unit)} (in ${names}), ${least ?? ''} to ${most ?? ''}`
}

function dimensionOf(unit: Unit): Dimension {
  return unit in units.time ? 'time' : 'size'
}

function scaleOf(unit: Unit): ReadonlyMap<string, number> {
  return new Map(Object.entries(units[dimensionOf(unit)]))
}
