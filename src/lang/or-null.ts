import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'

type Typed = TSchema & { readonly type: string }

/** One `type` with two names, not a union: a wrong value then has one fault, at the right place. */
export const orNull = <Schema extends Typed>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
