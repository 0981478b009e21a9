/** Where something stands in the source: offsets of its first character and behind its last. */
export type Span = { readonly start: number; readonly end: number }

/** A single value, typed by how it is written (reference 2.3, decision D42). */
export type Scalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  /** ISO 8601 in UTC. */
  | { readonly kind: 'time'; readonly value: string }

export type Literal = Scalar & { readonly span: Span }

export type List = {
  readonly kind: 'list'
  readonly items: readonly Literal[]
  readonly span: Span
}

/** `smetadata.outlets.0.maxPower`: a name of the interface, and the way into its JSON. */
export type Operand = {
  readonly name: string
  readonly path: readonly string[]
  readonly span: Span
}

export type Clause = {
  readonly kind: 'clause'
  readonly operand: Operand
  /** In lower case; whether it exists is known only with the types of its operands. */
  readonly operator: string
  readonly value: Literal | List
  /** Where the operator stands. */
  readonly span: Span
}

export type Expression =
  | Clause
  | {
      readonly kind: 'and' | 'or'
      readonly of: readonly Expression[]
      readonly span: Span
    }
