import type { Geometry } from '../../content/index.ts'

/** A parsed CQL2 expression (OGC 21-065r2), independent of its encoding. */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'flag'; readonly property: Property }
  | {
      readonly kind: 'comparison'
      readonly operator: Operator
      readonly left: Scalar
      readonly right: Scalar
    }
  | { readonly kind: 'null'; readonly of: Property }
  | { readonly kind: 'like'; readonly value: Text; readonly pattern: Text }
  | { readonly kind: 'between'; readonly value: Scalar; readonly bounds: readonly [Scalar, Scalar] }
  | { readonly kind: 'in'; readonly value: Scalar; readonly list: readonly Scalar[] }
  | {
      readonly kind: 'spatial'
      readonly relation: SpatialRelation
      readonly places: readonly [Place, Place]
    }
  | {
      readonly kind: 'temporal'
      readonly relation: TemporalRelation
      readonly spans: readonly [Span, Span]
    }

export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A property of the features, by its name among the queryables. */
export type Property = {
  readonly kind: 'property'
  readonly name: string
  readonly position: number
}

export type Literal =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** ISO 8601 with a time zone. */
  | { readonly kind: 'time'; readonly value: string }
  /** yyyy-mm-dd: the whole day in UTC. */
  | { readonly kind: 'date'; readonly value: string }

/** A text compared without regard to letter case or accents. */
export type Folded = { readonly kind: 'casei' | 'accenti'; readonly of: Text }

export type Text = Property | Extract<Literal, { kind: 'text' }> | Folded
export type Scalar = Property | Literal | Folded

/** A literal is in the system that the filter specifies; by default in degrees, longitude first. */
export type Place = Property | { readonly kind: 'geometry'; readonly value: Geometry } | Box

/** A box: its lower corner and its upper one, each in the order of the axes. */
export type Box = {
  readonly kind: 'box'
  readonly corners: readonly [number, number, number, number]
  readonly position: number
}

export type Moment = Property | Extract<Literal, { kind: 'time' | 'date' }>
/** A moment, or the time between two moments; a null bound is open. */
export type Span =
  | Moment
  | { readonly kind: 'interval'; readonly bounds: readonly [Moment | null, Moment | null] }

export const spatialRelations = [
  'intersects',
  'disjoint',
  'equals',
  'touches',
  'within',
  'overlaps',
  'crosses',
  'contains',
] as const
export type SpatialRelation = (typeof spatialRelations)[number]

export const temporalRelations = [
  'after',
  'before',
  'contains',
  'disjoint',
  'during',
  'equals',
  'finishedby',
  'finishes',
  'intersects',
  'meets',
  'metby',
  'overlappedby',
  'overlaps',
  'startedby',
  'starts',
] as const
export type TemporalRelation = (typeof temporalRelations)[number]
