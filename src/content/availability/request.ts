/** Booking channels (interface 4.5, `bokfilter`). */
export const channels = ['hgv', 'htl', 'exp', 'bok', 'lts'] as const
export type Channel = (typeof channels)[number]

/**
 * Boards, in the order of the bits of `boardfilter`: no board, breakfast, half board, full board,
 * all inclusive.
 */
export const boards = ['ws', 'bb', 'hb', 'fb', 'ai'] as const
export type Board = (typeof boards)[number]

/**
 * Types of rooms: 0 unspecified (in requests: any), 1 room, 2 apartment, 4 pitch or tent, 8
 * dormitory.
 */
export const roomTypes = [0, 1, 2, 4, 8] as const
export type RoomType = (typeof roomTypes)[number]

/** Room that a caller requests. */
export type RequestedRoom = {
  /** Position in `roominfo`, starting at 1. */
  readonly seq: number
  readonly type: RoomType
  /** Ages of the guests, in years. */
  readonly ages: readonly number[]
}

/** Stay with days as yyyy-MM-dd. Its last night is the one before the departure. */
export type Stay = {
  readonly arrival: string
  readonly departure: string
  readonly nights: number
}

/** Parsed availability check (interface 4.5, reference content.md 8.4). */
export type AvailabilityRequest = Stay & {
  readonly rooms: readonly RequestedRoom[]
  /** Channel whose offers are left out for accommodations that have an offer of another channel. */
  readonly withoutDuplicatesFrom?: Channel
  /** Acceptable boards: an offer needs one of them. */
  readonly boards: readonly Board[]
  readonly channels: readonly Channel[]
  readonly language: 'de' | 'it' | 'en'
  /** `full` adds descriptions and pictures of the rooms. */
  readonly detail: 'basic' | 'full'
  /** Name of the source to query (`msssource`); the stored provider is one. */
  readonly source: string
}
