/**
 * How the tables of this folder describe the DATEX II v2 schema (namespace 2_0, model 2.3).
 *
 * A member is `Type` with a quantifier as in regular expressions: none (exactly one), `?`, `*`, `+`,
 * `{min,max}`. A required member that a record could not do without carries a fallback:
 * `['AccidentTypeEnum+', 'accident']`. The order of members is the order of the schema.
 */
export type MemberSpec = string | readonly [type: string, fallback: unknown]

export type TypeSpec = {
  /** The type whose members come first. */
  readonly parent?: string
  /** An abstract type is written as one of its descendants, named by `xsi:type`. */
  readonly abstract?: true
  /** Required attributes: `text`, `index` (a whole number), or `=…` for a fixed value. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, MemberSpec>>
}

/** Checks a table without widening its names. */
export const defineTypes = <const Types extends Readonly<Record<string, TypeSpec>>>(types: Types) =>
  types
