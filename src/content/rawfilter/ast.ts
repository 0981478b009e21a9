/** A position in the source: the offset of the first character, and that after the last. */
export type Span = { readonly start: number; readonly end: number }

/** One step of a path: into a field (or, by number, an element), or into every element. */
export type Segment = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'each' }

export type Field = { readonly segments: readonly Segment[]; readonly span: Span }

/** A date and time in ISO 8601 with a zone, whichever form was written. */
type Time = { readonly kind: 'time'; readonly value: string }

export type Scalar =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }

export type Value = Scalar | Time | { readonly kind: 'emptyArray' }

export type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export type Comparison = {
  readonly kind: 'comparison'
  readonly operator: Operator
  readonly field: Field
  readonly value: Value
  readonly span: Span
}

export type Membership = {
  readonly kind: 'membership'
  readonly test: 'in' | 'nin'
  readonly field: Field
  readonly values: readonly Scalar[]
  readonly span: Span
}

export type Likeness = {
  readonly kind: 'likeness'
  readonly field: Field
  /** Each pattern is a piece of text, or a regular expression between slashes. */
  readonly patterns: readonly string[]
  readonly span: Span
}

/** A test of one field. The limit on terms counts it once for each of its values. */
export type Term =
  | Comparison
  | Membership
  | Likeness
  | {
      readonly kind: 'presence'
      readonly test: 'isnull' | 'isnotnull'
      readonly field: Field
      readonly span: Span
    }
  | { readonly kind: 'like'; readonly field: Field; readonly pattern: string; readonly span: Span }

export type Expression =
  | Term
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[]; readonly span: Span }
  | { readonly kind: 'not'; readonly of: Expression; readonly span: Span }

/** A parsed `rawfilter`. */
export type RawFilter = { readonly expression: Expression }
