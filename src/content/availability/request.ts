/** Booking channels (interface 4.5, `bokfilter`). */
export const channels = ['hgv', 'htl', 'exp', 'bok', 'lts'] as const
export type Channel = (typeof channels)[number]

/** Boards, in the order of the bits of `boardfilter`: without board, breakfast, half, full, all inclusive. */
export const boards = ['ws', 'bb', 'hb', 'fb', 'ai'] as const
export type Board = (typeof boards)[number]

/** Kinds of rooms: 0 not specified (requested: any), 1 room, 2 apartment, 4 pitch or tent, 8 dormitory. */
export const roomTypes = [0, 1, 2, 4, 8] as const
export type RoomType = (typeof roomTypes)[number]

/** One room that is requested. */
export type WantedRoom = {
  /** Its place in `roominfo`, from 1 on. */
  readonly seq: number
  readonly type: RoomType
  /** Of its guests, in years. */
  readonly ages: readonly number[]
}

/** Days as yyyy-MM-dd; the night before the departure is the last one. */
export type Stay = {
  readonly arrival: string
  readonly departure: string
  readonly nights: number
}

/** What an availability check requests (interface 4.5, reference content.md 8.4). */
export type AvailabilityRequest = Stay & {
  readonly rooms: readonly WantedRoom[]
  /** Leave out offers of this channel for accommodations that have an offer of another channel. */
  readonly withoutDuplicatesFrom?: Channel
  /** Any of them. */
  readonly boards: readonly Board[]
  readonly channels: readonly Channel[]
  readonly language: 'de' | 'it' | 'en'
  /** `full` adds descriptions and pictures of the rooms. */
  readonly detail: 'basic' | 'full'
  /** Name of the source to query (`msssource`); the stored provider is one. */
  readonly source: string
}
