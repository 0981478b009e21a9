import { cheapestRooms } from '../cheapest-rooms.ts'
import type { CheapestDetail, Offer, OfferedRoom } from '../provider.ts'
import { boards } from '../request.ts'
import type { AvailabilityRequest, Board, Channel, WantedRoom } from '../request.ts'
import type { StoredPlan, StoredRoom } from './stored-room.ts'

/** The channels over which all rooms can be had with one board. */
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
 * The offers of an accommodation, one for each channel over which all rooms can be had with one board
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

/** The cheapest plan of a board for one of the rooms asked for. */
type Price = { readonly cents: number; readonly plan: StoredPlan }
type Prices = Readonly<Partial<Record<Board, Price>>>

/** A room with its prices for each of the rooms asked for. */
type PricedRoom = { readonly room: StoredRoom; readonly prices: readonly Prices[] }

function priceRoom(
  room: StoredRoom,
  channel: Channel,
  { rooms: wanted }: AvailabilityRequest,
): PricedRoom {
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

type Cheapest = { readonly board: Board; readonly cents: number; readonly detail: CheapestDetail }

function cheapestOf(priced: readonly PricedRoom[], board: Board): Cheapest | undefined {
  const rooms = priced.map(({ room: { free }, prices }) => ({
    free,
    prices: prices.map((one) => one[board]?.cents),
  }))
  const combination = cheapestRooms(rooms, priced[0]?.prices.length ?? 0)
  if (combination === undefined || combination.rooms.length === 0) return undefined
  const detail: CheapestDetail = {
    Service: `price_${board}`,
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
  readonly rooms: readonly OfferedRoom[]
}

function toOffer({ accommodation, channel, cheapest, best, rooms }: Found): Offer {
  const priceWith = (board: Board) => cheapest.find((one) => one.board === board)?.detail.Price
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
    CheapestOffer_ws: priceWith('ws') ?? null,
    CheapestOffer_bb: priceWith('bb') ?? null,
    CheapestOffer_hb: priceWith('hb') ?? null,
    CheapestOffer_fb: priceWith('fb') ?? null,
    CheapestOffer_ai: priceWith('ai') ?? null,
    CheapestOfferDetail: cheapest.map(({ detail }) => detail),
    RoomDetails: rooms,
  }
}

/** Every room that could be one of those asked for, by what was asked for. */
function offeredRooms(
  priced: readonly PricedRoom[],
  { rooms: wanted }: AvailabilityRequest,
): readonly OfferedRoom[] {
  return wanted.flatMap(({ seq }) =>
    priced.flatMap(({ room, prices }) => toOfferedRoom(room, seq, prices[seq - 1] ?? {}) ?? []),
  )
}

function toOfferedRoom(room: StoredRoom, seq: number, prices: Prices): OfferedRoom | undefined {
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
    Price_ws: euros('ws'),
    Price_bb: euros('bb'),
    Price_hb: euros('hb'),
    Price_fb: euros('fb'),
    Price_ai: euros('ai'),
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

/** Whether these guests may have the room. */
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
