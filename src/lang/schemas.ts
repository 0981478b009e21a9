import { Type } from 'typebox'
import type { Static, TArrayOptions, TObjectOptions, TProperties, TSchema } from 'typebox'

/** The body of every error (RFC 9457). */
export const problem = Type.Ref('ProblemDetails')

type Typed = TSchema & { readonly type: string }

/** One `type` with two names, not a union: a wrong value then has one fault, at the right place. */
export const orNull = <Schema extends Typed>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

/** An object with these fields and no others. */
export const exactly = <Fields extends TProperties>(fields: Fields, options?: TObjectOptions) =>
  Type.Object(fields, { additionalProperties: false, ...options })

/** A parameter whose items are separated by commas. */
export const commaList = <Item extends TSchema>(item: Item, options: TArrayOptions) =>
  Type.Array(item, { style: 'form', explode: false, ...options })

/** Names a client application; it counts for quotas, not for data (interface 8). */
export const referer = Type.Optional(
  Type.String({ maxLength: 2000, description: 'URL of the calling application' }),
)

type Described = { readonly examples: unknown[]; readonly description: string }

/** The parameters of a list that group its rows: up to three fields, and aggregates of each group. */
export const groupingParameters = (groupby: Described, agg: Described) => ({
  groupby: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 3, ...groupby }),
  ),
  agg: Type.Optional(
    commaList(Type.String({ maxLength: 510 }), { minItems: 1, maxItems: 20, ...agg }),
  ),
})

/** What a schema proves, for values that nobody changes. */
export type Proven<Schema extends TSchema> = Constant<Static<Schema>>

/** What an operation returns where all goes well. */
export type AnswerOf<Operation extends { readonly response: { readonly 200: TSchema } }> = Proven<
  Operation['response'][200]
>

type Constant<Value> = Value extends object
  ? { readonly [Field in keyof Value]: Constant<Value[Field]> }
  : Value
