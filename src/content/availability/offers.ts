import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Sql } from '../../sql/index.ts'
import { boards, channels } from './request.ts'
import type { AvailabilityRequest, Board, Channel, RequestedRoom } from './request.ts'

/** Price of the stay under one rate plan, and the guests to whom it applies. */
const plan = Type.Object({
  plan: Type.String(),
  channel: Type.Enum([...channels]),
  board: Type.Enum([...boards]),
  perGuest: Type.Boolean(),
  /** Pairs of an age and the percentage that guests up to that age pay, by ascending age. */
  children: Type.Array(Type.Tuple([Type.Integer(), Type.Number()])),
  link: Type.Union([Type.String(), Type.Null()]),
  /** Price of all nights together, in cents: for the room, or for each guest who pays in full. */
  cents: Type.Integer(),
})

/** Room that is free on every night of the stay, as returned by the stored provider's statement. */
const room = Type.Object({
  room: Type.String(),
  type: Type.Integer(),
  /** How many rooms of this kind are free on every night. */
  free: Type.Integer(),
  min: Type.Integer(),
  std: Type.Union([Type.Integer(), Type.Null()]),
  max: Type.Integer(),
  title: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  pictures: Type.Array(Type.String()),
  plans: Type.Array(plan),
})

/** Availability of an accommodation for the requested stay. */
export type Availability = {
  /** Channels over which the accommodation is available as requested; at least one. */
  readonly channels: readonly Channel[]
  /** Digest that changes whenever the offers change. */
  readonly state: string
  /**
   * Returns one offer for each channel. Call it only when the offers are written out, so that the
   * offers of all accommodations are never in memory together.
   */
  readonly offers: () => readonly Offer[]
}

/** Source of availability (decision D39). It is queried once per check for all accommodations. */
export type AvailabilityProvider = {
  /**
   * Returns the accommodations that are available as requested, by identifier.
   * @param accommodations a statement that selects the identifiers of the accommodations to check,
   *   restricted to the caller's rights: the stored provider embeds it in its own statement, a
   *   remote provider runs it first
   */
  readonly check: (
    request: AvailabilityRequest,
    accommodations: Sql,
  ) => Promise<ReadonlyMap<string, Availability>>
}

type StoredPlan = Type.Static<typeof plan>
type StoredRoom = Type.Static<typeof room>

const guard = Compile(room)

/**
 * Parses a room that the stored provider's statement returned.
 * @throws TypeError for any other text; the statement never returns one
 */
export function parseStoredRoom(text: string): StoredRoom {
  const parsed: unknown = JSON.parse(text)
  if (guard.Check(parsed)) return parsed
  throw new TypeError(`This is not a stored room: ${text.slice(0, 200)}`)
}

/** Returns the channels over which all requested rooms are available with the same board. */
export function channelsOf(
  rooms: readonly StoredRoom[],
  request: AvailabilityRequest,
): readonly Channel[] {
  return request.channels.filter((channel) => {
    const priced = rooms.map((room) => priceRoom(room, channel, request))
    return boards.some((board) => cheapestOf(priced, board) !== undefined)
  })
}

/**
 * Returns the offers of an accommodation: one for each channel over which all requested rooms are
 * available with the same board (reference content.md 8.3).
 * @param rooms rooms that are free on all nights, with their prices
 */
export function toOffers(
  accommodation: string,
  rooms: readonly StoredRoom[],
  request: AvailabilityRequest,
): readonly Offer[] {
  return request.channels.flatMap((channel) => {
    const priced = rooms.map((room) => priceRoom(room, channel, request))
    const cheapest = boards.flatMap((board) => cheapestOf(priced, board) ?? [])
    const [best] = [...cheapest].sort((one, other) => one.cents - other.cents)
    if (best === undefined) return []
    return [
      toOffer({ accommodation, channel, cheapest, best, rooms: offeredRooms(priced, request) }),
    ]
  })
}

/** Price of one requested room under the cheapest plan of a board. */
type Price = { readonly cents: number; readonly plan: StoredPlan }
type Prices = Readonly<Partial<Record<Board, Price>>>

type RoomPrices = { readonly room: StoredRoom; readonly prices: readonly Prices[] }

function priceRoom(
  room: StoredRoom,
  channel: Channel,
  { rooms: wanted }: AvailabilityRequest,
): RoomPrices {
  const plans = room.plans.filter((plan) => plan.channel === channel)
  const pricesFor = (one: RequestedRoom): Prices => {
    const prices: Partial<Record<Board, Price>> = {}
    for (const plan of fits(room, one) ? plans : []) {
      const cents = priceOf(plan, one)
      const known = prices[plan.board]
      if (known === undefined || cents < known.cents) prices[plan.board] = { cents, plan }
    }
    return prices
  }
  return { room, prices: wanted.map(pricesFor) }
}

type Cheapest = NonNullable<ReturnType<typeof cheapestOf>>

/** Returns the cheapest combination for all requested rooms with one board, if there is one. */
function cheapestOf(priced: readonly RoomPrices[], board: Board) {
  const rooms = priced.map(({ room: { free }, prices }) => ({
    free,
    prices: prices.map((one) => one[board]?.cents),
  }))
  const combination = cheapestRooms(rooms, priced[0]?.prices.length ?? 0)
  if (combination === undefined || combination.rooms.length === 0) return undefined
  const detail = {
    Service: `price_${board}` as const,
    Price: combination.total / 100,
    CheapestRoomCombinationDetail: combination.rooms.map((index, seq) => ({
      RoomId: priced[index]?.room.room ?? '',
      RoomSeq: seq + 1,
      Price: (rooms[index]?.prices[seq] ?? 0) / 100,
      RoomFree: rooms[index]?.free ?? 0,
    })),
  }
  return { board, cents: combination.total, detail }
}

type Found = {
  readonly accommodation: string
  readonly channel: Channel
  readonly cheapest: readonly Cheapest[]
  readonly best: Cheapest
  readonly rooms: ReturnType<typeof offeredRooms>
}

/** Offer of one channel. Its prices are in euros for the whole stay. */
type Offer = ReturnType<typeof toOffer>

function toOffer({ accommodation, channel, cheapest, best, rooms }: Found) {
  const priceWith = (board: Board) =>
    cheapest.find((one) => one.board === board)?.detail.Price ?? null
  const [first] = best.detail.CheapestRoomCombinationDetail
  const link = rooms.find(({ RoomId, RoomSeq }) => RoomId === first?.RoomId && RoomSeq === 1)
  return {
    HotelId: null,
    A0RID: accommodation,
    Bookable: true,
    ChannelID: channel,
    Channellink: link?.RoomChannelLink ?? null,
    CheapestOffer: best.detail.Price,
    CheapestOfferString: toText(best.cents),
    ...byBoard('CheapestOffer', priceWith),
    CheapestOfferDetail: cheapest.map(({ detail }) => detail),
    RoomDetails: rooms,
  }
}

/**
 * Returns one price field for each board, such as `Price_hb`; null if the board is not available.
 */
function byBoard<Name extends string>(name: Name, priceWith: (board: Board) => number | null) {
  const prices: Partial<Record<`${Name}_${Board}`, number | null>> = {}
  for (const board of boards) prices[`${name}_${board}`] = priceWith(board)
  return prices
}

/** Lists, for each requested room in turn, every stored room that could serve it. */
function offeredRooms(priced: readonly RoomPrices[], { rooms: wanted }: AvailabilityRequest) {
  return wanted.flatMap(({ seq }) =>
    priced.flatMap(({ room, prices }) => toOfferedRoom(room, seq, prices[seq - 1] ?? {}) ?? []),
  )
}

/**
 * Describes a stored room as an offer for one requested room, under its rate plan with the lowest
 * price. Returns undefined if no plan has a price.
 */
function toOfferedRoom(room: StoredRoom, seq: number, prices: Prices) {
  const [best] = Object.values(prices).sort((one, other) => one.cents - other.cents)
  if (best === undefined) return undefined
  const euros = (board: Board) => {
    const price = prices[board]
    return price === undefined ? null : price.cents / 100
  }
  return {
    RoomId: room.room,
    RoomSeq: seq,
    OfferId: best.plan.plan,
    TotalPrice: best.cents / 100,
    TotalPriceString: toText(best.cents),
    ...byBoard('Price', euros),
    Roomtype: room.type,
    Roomfree: room.free,
    Roommin: room.min,
    Roomstd: room.std,
    Roommax: room.max,
    Roomtitle: room.title,
    Roomdesc: room.description,
    RoomChannelLink: best.plan.link,
    RoomPictures: room.pictures.map((Pictureurl) => ({ Pictureurl })),
  }
}

/** Formats cents as euros with a decimal comma. */
function toText(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}

function fits({ type, min, max }: StoredRoom, wanted: RequestedRoom): boolean {
  const guests = wanted.ages.length
  return (wanted.type === 0 || wanted.type === type) && guests >= min && guests <= max
}

/**
 * Returns the price of the whole stay for these guests in cents. Rounds half up, once, at the end.
 */
function priceOf({ cents, perGuest, children }: StoredPlan, { ages }: RequestedRoom): number {
  if (!perGuest) return cents
  const percent = ages.reduce((sum, age) => sum + shareOf(children, age), 0)
  return Math.round((cents * percent) / 100)
}

/**
 * Returns the percentage of the price that a guest of this age pays: that of the first age limit
 * that is not below it, or 100.
 */
function shareOf(children: StoredPlan['children'], age: number): number {
  return children.find(([upTo]) => age <= upTo)?.[1] ?? 100
}

/** Room that can be assigned up to `free` times. */
export type PricedRoom = {
  readonly free: number
  /** Price for each requested room, in cents; undefined if this room does not match it. */
  readonly prices: readonly (number | undefined)[]
}

/** Assignment of rooms: the total in cents, and the index of the room for each requested room. */
type Combination = { readonly total: number; readonly rooms: readonly number[] }

/**
 * Finds the cheapest assignment of rooms to the requested ones (reference content.md 8.3). No room
 * is assigned more often than it is free. This is the assignment problem: picking the cheapest room
 * for one request after the other is not always cheapest overall. Shortest augmenting paths solve
 * it exactly.
 * @param wanted how many rooms are requested
 * @returns undefined if not all requested rooms are available
 */
export function cheapestRooms(
  rooms: readonly PricedRoom[],
  wanted: number,
): Combination | undefined {
  const taken: number[] = []
  for (let seq = 0; seq < wanted; seq++) {
    const path = cheapestPath(rooms, taken, seq)
    if (path === undefined) return undefined
    for (const { seq: mover, room } of path) taken[mover] = room
  }
  const total = taken.reduce((sum, room, seq) => sum + (rooms[room]?.prices[seq] ?? 0), 0)
  return { total, rooms: taken }
}

type Move = { readonly seq: number; readonly room: number }

/**
 * How a room is reached: the requested room that would take it, and the cost of all moves so far.
 */
type Reached = { readonly by: number; readonly cost: number }

/**
 * Finds the cheapest moves that assign a room to one more request: it takes a room, the request
 * that had this room takes another, and so on until a room is reached that is still free
 * (Bellman-Ford).
 */
function cheapestPath(
  rooms: readonly PricedRoom[],
  taken: readonly number[],
  seq: number,
): readonly Move[] | undefined {
  const reached: (Reached | undefined)[] = rooms.map(() => undefined)
  let isShorter = relax(rooms, reached, { seq, cost: 0 })
  while (isShorter) {
    isShorter = false
    for (const [mover, room] of taken.entries()) {
      const there = reached[room]
      if (there === undefined) continue
      const cost = there.cost - (rooms[room]?.prices[mover] ?? 0)
      isShorter = relax(rooms, reached, { seq: mover, cost }) || isShorter
    }
  }
  const end = cheapestFree(rooms, taken, reached)
  return end === undefined ? undefined : movesTo(end, reached, { taken, seq })
}

/**
 * Lowers the cost of every room that is cheaper to reach if this requested room takes it. Reports
 * whether there was one.
 */
function relax(
  rooms: readonly PricedRoom[],
  reached: (Reached | undefined)[],
  { seq, cost }: { readonly seq: number; readonly cost: number },
): boolean {
  let isShorter = false
  for (const [index, { prices }] of rooms.entries()) {
    const price = prices[seq]
    if (price === undefined || cost + price >= (reached[index]?.cost ?? Infinity)) continue
    reached[index] = { by: seq, cost: cost + price }
    isShorter = true
  }
  return isShorter
}

function cheapestFree(
  rooms: readonly PricedRoom[],
  taken: readonly number[],
  reached: readonly (Reached | undefined)[],
): number | undefined {
  let best: number | undefined
  for (const [index, { free }] of rooms.entries()) {
    const cost = reached[index]?.cost
    if (cost === undefined || taken.filter((room) => room === index).length >= free) continue
    if (best === undefined || cost < (reached[best]?.cost ?? Infinity)) best = index
  }
  return best
}

/** Returns the moves from the free room back to the requested room that has no room. */
function movesTo(
  end: number,
  reached: readonly (Reached | undefined)[],
  { taken, seq }: { readonly taken: readonly number[]; readonly seq: number },
): readonly Move[] {
  const moves: Move[] = []
  let room: number | undefined = end
  while (room !== undefined) {
    const by: number = reached[room]?.by ?? seq
    moves.push({ seq: by, room })
    room = by === seq ? undefined : taken[by]
  }
  return moves
}
