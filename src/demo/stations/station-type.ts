import { Type } from 'typebox'
import type { Static } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'
import type { Whereabouts } from '../geography/geography.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { scaledValues, values } from './values.ts'
import type { ValueAt } from './values.ts'

/** A data type of a station type. */
export type SeriesSpec = {
  readonly dataType: string
  /** Seconds between two values. */
  readonly period: number
  /** For forecasts: seconds until a value becomes valid. */
  readonly lead?: number
  readonly value: ValueAt
}

export type Origin = {
  readonly name: string
  readonly closed: boolean
}

type Naming = { readonly de: string; readonly it: string; readonly number: number }

export type StationType = {
  readonly name: string
  /** Number of stations at scale 1. */
  readonly count: number
  readonly origins: readonly Origin[]
  /** Prefix of the codes. */
  readonly prefix: string
  readonly parent?: { readonly type: string; readonly childrenPerParent: number }
  /** In a municipality, or on the road with this key; without a key on all roads. */
  readonly where: Whereabouts | { readonly road?: string }
  readonly capacity: readonly [low: number, high: number]
  readonly title: (naming: Naming) => string
  readonly metadata: (random: Random, capacity: number) => Readonly<Record<string, unknown>>
  readonly series: readonly SeriesSpec[]
}

const row = Type.Object({
  name: Type.String(),
  count: Type.Integer(),
  origins: Type.Array(Type.Union([Type.String(), Type.Object({ closed: Type.String() })])),
  prefix: Type.String(),
  parent: Type.Optional(Type.Object({ type: Type.String(), childrenPerParent: Type.Integer() })),
  where: Type.Union([
    Type.Enum(['village', 'anywhere']),
    Type.Object({ road: Type.Optional(Type.String()) }),
  ]),
  capacity: Type.Tuple([Type.Integer(), Type.Integer()]),
  title: Type.Array(Type.String(), { minItems: 1 }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  series: Type.Array(
    Type.Object({
      dataType: Type.String(),
      period: Type.Integer(),
      lead: Type.Optional(Type.Integer()),
      value: Type.String(),
      figure: Type.Optional(Type.Number()),
    }),
  ),
})
type Row = Static<typeof row>

/** All station types. A parent comes before its children. */
export const stationTypes: readonly StationType[] = readYaml(
  new URL('station-types.yaml', import.meta.url),
  Type.Array(row),
).map((one) => ({
  ...one,
  origins: one.origins.map((origin) =>
    typeof origin === 'string'
      ? { name: origin, closed: false }
      : { name: origin.closed, closed: true },
  ),
  title: titleOf(one),
  metadata: (random, capacity) => drawn(one.metadata, { random, capacity }),
  series: one.series.map(toSeries),
}))

/** Returns the title of stations. Several titles alternate. */
function titleOf({ title }: Row): StationType['title'] {
  return ({ de, it, number }) =>
    at(title, (number - 1) % title.length)
      .replace('{de}', de)
      .replace('{it}', it)
      .replace('{number}', String(number))
}

function toSeries({ value, figure, ...series }: Row['series'][number]): SeriesSpec {
  const found = figure === undefined ? values[value] : scaledValues[value]?.(figure, series.period)
  if (found === undefined) throw new RangeError(`There are no values ${value}.`)
  return { ...series, value: found }
}

type Drawing = { readonly random: Random; readonly capacity: number }

function drawn(metadata: Readonly<Record<string, unknown>>, drawing: Drawing) {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, draw(value, drawing)]),
  )
}

const range = /\{(\d+)\.\.(\d+)\}/

function draw(value: unknown, drawing: Drawing): unknown {
  const { random, capacity } = drawing
  if (value === '$capacity') return capacity
  if (typeof value === 'string') {
    return value.replace(range, (_, low: string, high: string) =>
      String(random.between(Number(low), Number(high))),
    )
  }
  if (Array.isArray(value)) return value.map((one: unknown) => draw(one, drawing))
  if (typeof value !== 'object' || value === null) return value
  const { $pick, $between, $chance, $part, ...members }: Choices = value
  if ($pick !== undefined) return random.pick($pick)
  if ($between !== undefined) return random.between(...$between)
  if ($chance !== undefined) return random.chance($chance[0]) ? $chance[1] : $chance[2]
  return $part === undefined ? drawn(members, drawing) : Math.ceil(capacity / $part)
}

/** Random choices in a value of the metadata. */
type Choices = {
  readonly $pick?: readonly unknown[]
  readonly $between?: readonly [low: number, high: number]
  readonly $chance?: readonly [probability: number, one: unknown, other: unknown]
  readonly $part?: number
}
