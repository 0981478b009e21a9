import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Sql } from '../../sql/index.ts'
import { boards, channels } from './request.ts'
import type { AvailabilityRequest, Board, Channel, WantedRoom } from './request.ts'

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

/** What an accommodation has free for a stay. */
export type Availability = {
  /** Channels over which it is available as requested; at least one. */
  readonly channels: readonly Channel[]
  /** Another one whenever the offers are. */
  readonly state: string
  /** One offer for each channel. Made when it is shown, so that those of all are never held together. */
  readonly offers: () => readonly Offer[]
}

/**
 * Who knows what is free (decision D39). A provider is asked once for each check, for all
 * accommodations together.
 */
export type AvailabilityProvider = {
  /**
   * The accommodations that are available as requested.
   * @param accommodations a statement that selects the identifiers, under the caller's rights: the
   *   stored provider makes it part of its own, one that asks elsewhere runs it first
   */
  readonly check: (
    request: AvailabilityRequest,
    accommodations: Sql,
  ) => Promise<ReadonlyMap<string, Availability>>
}

type StoredPlan = Type.Static<typeof plan>
type StoredRoom = Type.Static<typeof room>

const guard = Compile(room)

/** @throws TypeError for what the statement never gives */
export function parseStoredRoom(text: string): StoredRoom {
  const parsed: unknown = JSON.parse(text)
  if (guard.Check(parsed)) return parsed
  throw new TypeError(`This is not a stored room: ${text.slice(0, 200)}`)
}

/** The channels over which all rooms are available with one board. */
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
 * The offers of an accommodation, one for each channel over which all rooms are available with one board
 * (reference content.md 8.3).
 * @param rooms that are free for all nights, with their prices
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

/** The cheapest plan of a board for one of the rooms requested. */
type Price = { readonly cents: number; readonly plan: StoredPlan }
type Prices = Readonly<Partial<Record<Board, Price>>>

type RoomPrices = { readonly room: StoredRoom; readonly prices: readonly Prices[] }

function priceRoom(
  room: StoredRoom,
  channel: Channel,
  { rooms: wanted }: AvailabilityRequest,
): RoomPrices {
  const plans = room.plans.filter((plan) => plan.channel === channel)
  const pricesFor = (one: WantedRoom): Prices => {
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

/** The cheapest way to have all rooms with one board. */
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

/** In euros for the whole stay. */
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

/** Prices by board, such as `Price_hb`; null if it is not available. */
function byBoard<Name extends string>(name: Name, priceWith: (board: Board) => number | null) {
  const prices: Partial<Record<`${Name}_${Board}`, number | null>> = {}
  for (const board of boards) prices[`${name}_${board}`] = priceWith(board)
  return prices
}

/** Every room that could be one of those requested, by what was requested. */
function offeredRooms(priced: readonly RoomPrices[], { rooms: wanted }: AvailabilityRequest) {
  return wanted.flatMap(({ seq }) =>
    priced.flatMap(({ room, prices }) => toOfferedRoom(room, seq, prices[seq - 1] ?? {}) ?? []),
  )
}

/** The room for one of those requested, under its rate plan with the lowest price. */
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

/** Euros with a decimal comma. */
function toText(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}

function fits({ type, min, max }: StoredRoom, wanted: WantedRoom): boolean {
  const guests = wanted.ages.length
  return (wanted.type === 0 || wanted.type === type) && guests >= min && guests <= max
}

/** Cents for the whole stay of these guests, rounded half up once. */
function priceOf({ cents, perGuest, children }: StoredPlan, { ages }: WantedRoom): number {
  if (!perGuest) return cents
  const percent = ages.reduce((sum, age) => sum + shareOf(children, age), 0)
  return Math.round((cents * percent) / 100)
}

/** Percent of the price that a guest of this age pays: the first age that is not below it counts. */
function shareOf(children: StoredPlan['children'], age: number): number {
  return children.find(([upTo]) => age <= upTo)?.[1] ?? 100
}

/** A room that may be taken `free` times. */
export type PricedRoom = {
  readonly free: number
  /** For each of the rooms requested, in cents; undefined where this room does not fit. */
  readonly prices: readonly (number | undefined)[]
}

/** For each requested room the index of the room that it becomes. */
type Combination = { readonly total: number; readonly rooms: readonly number[] }

/**
 * The cheapest way to give each requested room a room of its own (reference content.md 8.3); none
 * is taken more often than it is free. This is the assignment problem: to take the cheapest room for one
 * after the other is not always the cheapest for all. Solved by shortest augmenting paths, so exactly.
 * @param wanted how many rooms are requested
 * @returns undefined when they are not all available
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

/** How a room is reached: who takes it then, and what all moves up to there cost together. */
type Reached = { readonly by: number; readonly cost: number }

/**
 * The moves that give one more a room at the least cost: it takes a room, whoever had that one takes
 * another, and so on until a room is reached that is still free (Bellman and Ford).
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

/** Whether a room is reached at a lower cost when this one takes it. */
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

/** Back from the free room to the requested room without one. */
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
