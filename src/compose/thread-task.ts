import { Type } from 'typebox'
import type { Static } from 'typebox'
import { loadedMapping } from '../push/index.ts'

/** What the thread that works on pushed messages is told at its start. */
export const threadTask = Type.Object({
  prefix: Type.String(),
  profile: Type.Union([Type.Literal('strict'), Type.Literal('compatible')]),
  /** Messages, or groups of small ones, that are worked on at a time. */
  atOnce: Type.Integer(),
  /** Mappings of streams, as they were when the hub started. */
  mappings: Type.Array(loadedMapping),
  /** Mebibytes that the process which evaluates them may have. */
  mappingMemory: Type.Integer(),
  /** Bytes that a message may have, with everything unpacked from it. */
  bodyLimit: Type.Integer(),
  /** Milliseconds for which values wait for stations that are unknown. */
  patience: Type.Integer(),
  /** Of the log. */
  level: Type.String(),
  /** Settings of `openDatabase`. */
  config: Type.Object({
    DATABASE_URL: Type.Optional(Type.String()),
    HUB_DATABASE_CONNECTIONS: Type.Integer(),
    HUB_STATEMENT_TIMEOUT: Type.Integer(),
    HUB_DATA_DIR: Type.String(),
  }),
})

export type ThreadTask = Static<typeof threadTask>
