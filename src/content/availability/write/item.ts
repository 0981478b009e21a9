import type { Board, Channel, RoomType } from '../request.ts'

/** Texts by language. */
export type Texts = Readonly<Record<string, string>>

/** What a room may be booked as. Prices are euros a night. */
export type PlanItem = {
  /** Unique among the plans of the room. */
  readonly plan: string
  readonly channel: Channel
  readonly board: Board
  /** Whether the price is for each guest, or for the room. */
  readonly per: 'guest' | 'room'
  /** Where the calendar has no other; without it only nights with a price in the calendar are sold. */
  readonly price?: number | null | undefined
  /** Guests up to an age, in years, pay so many percent; the lowest age that fits counts. */
  readonly children?: readonly { readonly age: number; readonly percent: number }[] | undefined
  /** Where it can be booked. */
  readonly link?: string | null | undefined
}

/** Nights from a day to another, both included, which have the same in common. */
export type NightsItem = {
  /** yyyy-MM-dd. */
  readonly from: string
  readonly to: string
  /** How many rooms of this kind are free. */
  readonly free: number
  /** Nights that a stay must have which begins here. */
  readonly minStay?: number | undefined
  readonly closedToArrival?: boolean | undefined
  readonly closedToDeparture?: boolean | undefined
  /** Euros a night by plan, in the place of the prices of the plans. */
  readonly prices?: Readonly<Record<string, number>> | undefined
}

/**
 * A kind of room of an accommodation, as messages describe it. A member that is left out keeps what is
 * stored; plans are replaced together, and nights each by itself.
 */
export type RoomItem = {
  readonly accommodation: string
  /** Unique within the accommodation. */
  readonly room: string
  readonly type?: RoomType | undefined
  readonly minGuests?: number | undefined
  readonly stdGuests?: number | null | undefined
  readonly maxGuests?: number | undefined
  readonly title?: Texts | undefined
  readonly description?: Texts | undefined
  readonly pictures?: readonly string[] | undefined
  /** Rooms that are not are not offered. */
  readonly active?: boolean | undefined
  readonly plans?: readonly PlanItem[] | undefined
  readonly nights?: readonly NightsItem[] | undefined
}

/** What tells a room from all others. */
export function keyOf({ accommodation, room }: Pick<RoomItem, 'accommodation' | 'room'>): string {
  return JSON.stringify([accommodation, room])
}
