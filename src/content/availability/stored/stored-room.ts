import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { boards, channels } from '../request.ts'

/** Price of a stay under a rate plan, and for whom it is. */
const plan = Type.Object({
  plan: Type.String(),
  channel: Type.Enum([...channels]),
  board: Type.Enum([...boards]),
  perGuest: Type.Boolean(),
  /** What guests up to an age pay: age, percent; ages upwards. */
  children: Type.Array(Type.Tuple([Type.Integer(), Type.Number()])),
  link: Type.Union([Type.String(), Type.Null()]),
  /** Cents of all nights together, for the room or for each full guest. */
  cents: Type.Integer(),
})

/** A room that is free for all nights, as the statement of the stored provider gives it. */
const room = Type.Object({
  room: Type.String(),
  type: Type.Integer(),
  /** How many of it are free in every night. */
  free: Type.Integer(),
  min: Type.Integer(),
  std: Type.Union([Type.Integer(), Type.Null()]),
  max: Type.Integer(),
  title: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  pictures: Type.Array(Type.String()),
  plans: Type.Array(plan),
})

export type StoredPlan = Type.Static<typeof plan>
export type StoredRoom = Type.Static<typeof room>

const guard = Compile(room)

/** @throws TypeError for what the statement never gives */
export function parseStoredRoom(text: string): StoredRoom {
  const parsed: unknown = JSON.parse(text)
  if (guard.Check(parsed)) return parsed
  throw new TypeError(`This is no stored room: ${text.slice(0, 200)}`)
}
