import type { Sql } from '../../sql/index.ts'
import type { AvailabilityRequest, Board, Channel } from './request.ts'

/** Prices of a board, such as `Price_hb`; null if it is not available. Euros for the whole stay. */
type BoardPrices<Prefix extends string> = Readonly<Record<`${Prefix}_${Board}`, number | null>>

/** A room that could be one of those requested. */
export type OfferedRoom = BoardPrices<'Price'> & {
  readonly RoomId: string
  /** Which of the requested rooms, from 1 on. */
  readonly RoomSeq: number
  /** Of the rate plan with the lowest price. */
  readonly OfferId: string | null
  /** The lowest of the prices. */
  readonly TotalPrice: number
  readonly TotalPriceString: string
  readonly Roomtype: number
  readonly Roomfree: number
  readonly Roommin: number
  readonly Roomstd: number | null
  readonly Roommax: number
  readonly Roomtitle: string | null
  readonly Roomdesc: string | null
  readonly RoomChannelLink: string | null
  readonly RoomPictures: readonly { readonly Pictureurl: string }[]
}

/** The cheapest way to have all rooms with one board. */
export type CheapestDetail = {
  /** Such as `price_hb`. */
  readonly Service: `price_${Board}`
  readonly Price: number
  readonly CheapestRoomCombinationDetail: readonly {
    readonly RoomId: string
    readonly RoomSeq: number
    readonly Price: number
    readonly RoomFree: number
  }[]
}

/** The offer of one channel for the whole stay (reference content.md 8.3), in euros. */
export type Offer = BoardPrices<'CheapestOffer'> & {
  readonly HotelId: null
  /** Identifier of the accommodation. */
  readonly A0RID: string
  readonly Bookable: true
  readonly ChannelID: Channel
  readonly Channellink: string | null
  readonly CheapestOffer: number
  /** With a decimal comma: `123,00`. */
  readonly CheapestOfferString: string
  readonly CheapestOfferDetail: readonly CheapestDetail[]
  readonly RoomDetails: readonly OfferedRoom[]
}

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
