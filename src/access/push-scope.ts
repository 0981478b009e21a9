import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'

const names = Type.Union([Type.Null(), Type.Array(Type.String())])

/** What a push permission covers (decision D67), as the table `push_grant` has it. */
const pushScope = Type.Object({
  /** Of canonical objects; null: any. */
  kinds: names,
  /** Of content; null: any. */
  entities: names,
  /** Of stations and edges; null: any. */
  station_types: names,
  /** Null: those of the stream's own provider, and those that nobody else uses. */
  origins: names,
  sources: names,
  /** Whether it may delete what others wrote under these sources. */
  may_delete: Type.Boolean(),
  /** Whether a complete list makes the stations of others under these origins inactive, too. */
  may_complete: Type.Boolean(),
  /** Whether it may open what is closed. */
  may_publish_closed: Type.Boolean(),
})

export type PushScope = Readonly<Static<typeof pushScope>>

/** A permission without a scope: what the stream itself wrote. */
export const ownOnly: PushScope = {
  kinds: null,
  entities: null,
  station_types: null,
  origins: null,
  sources: null,
  may_delete: false,
  may_complete: false,
  may_publish_closed: false,
}

/** Reads what `push_scope` of the database returns; a sender without a permission there has no scope. */
export function parsePushScope(json: string | null): PushScope {
  return json === null ? ownOnly : Parse(pushScope, JSON.parse(json))
}
