import { Type } from 'typebox'
import type { Static } from 'typebox'
import { address } from './address.ts'

/** From the hub to its database process, once, as the first message. */
export const startMessage = Type.Object({
  kind: Type.Literal('start'),
  /** Absolute path; the database is in its folder `pg`. */
  dataDir: Type.String(),
  address,
  /** Milliseconds to wait for another process to leave the folder. */
  patience: Type.Integer(),
})
export type StartMessage = Static<typeof startMessage>

/** From the database process to the hub, once. */
export const reply = Type.Union([
  Type.Object({ kind: Type.Literal('ready'), address }),
  Type.Object({ kind: Type.Literal('failed'), reason: Type.String() }),
])
export type Reply = Static<typeof reply>
