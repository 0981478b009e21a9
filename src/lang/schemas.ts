import { Type } from 'typebox'
import type { Static, TArrayOptions, TObjectOptions, TProperties, TSchema } from 'typebox'

/** The body of every error (RFC 9457). */
export const problem = Type.Ref('ProblemDetails')

type Typed = TSchema & { readonly type: string }

/**
 * Makes a schema nullable by one `type` with two names instead of a union, so that a wrong value
 * has one fault, at the right place.
 */
export const orNull = <Schema extends Typed>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

/** Describes an object with these fields and no others. */
export const exactly = <Fields extends TProperties>(fields: Fields, options?: TObjectOptions) =>
  Type.Object(fields, { additionalProperties: false, ...options })

/** Describes a parameter whose items are separated by commas. */
export const commaList = <Item extends TSchema>(item: Item, options: TArrayOptions) =>
  Type.Array(item, { style: 'form', explode: false, ...options })

/**
 * The parameter that names the client application; it matters for quotas, not for data (interface
 * 8).
 */
export const referer = Type.Optional(
  Type.String({ maxLength: 2000, description: 'URL of the calling application' }),
)

type Described = { readonly examples: unknown[]; readonly description: string }

/**
 * Describes the parameters that group the rows of a list: up to three fields, and aggregates per
 * group.
 */
export const groupingParameters = (groupby: Described, agg: Described) => ({
  groupby: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 3, ...groupby }),
  ),
  agg: Type.Optional(
    commaList(Type.String({ maxLength: 510 }), { minItems: 1, maxItems: 20, ...agg }),
  ),
})

/** The type of a value that a schema validated, deeply read-only. */
export type Proven<Schema extends TSchema> = Constant<Static<Schema>>

/** The type of an operation's successful response. */
export type AnswerOf<Operation extends { readonly response: { readonly 200: TSchema } }> = Proven<
  Operation['response'][200]
>

type Constant<Value> = Value extends object
  ? { readonly [Field in keyof Value]: Constant<Value[Field]> }
  : Value
