import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { requireRole } from '../../access/index.ts'
import type { Availability, AvailabilityProvider } from './offers.ts'
import { boards, channels, roomTypes } from './request.ts'
import type { AvailabilityRequest, Board, Channel, RequestedRoom, Stay } from './request.ts'
import { storedProvider } from './stored-provider.ts'
import { filter } from '../entity.ts'
import type { Filter, Scope } from '../entity.ts'
import { dayAfter, isDay, listSchema, rejected, toItems } from '../filters/values.ts'
import { dayForm, form } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** Clock and time zone that determine today's date. Without a clock no day is in the past. */
type Calendar = {
  readonly now: (() => Date) | undefined
  /** IANA time zone of the accommodations (decision D39). */
  readonly timeZone: string
}

type Query = Readonly<Record<string, unknown>>

/** Longest stay that can be checked, in nights. */
export const maxNights = 60

const oneDay = 86_400_000

/**
 * Parses the stay of a request. The default is one night from today.
 * @throws AppError HUB-QRY-001 for a day that does not exist or is in the past, a departure that is
 *   not after the arrival, or a stay that is too long
 */
export function readStay(query: Query, { now, timeZone }: Calendar): Stay {
  const today =
    now === undefined ? '0001-01-01' : new Intl.DateTimeFormat('en-CA', { timeZone }).format(now())
  const arrival = readDay(query, 'arrival') ?? today
  if (arrival < today) {
    const expected = [`${today} or later`]
    throw rejected({ parameter: 'arrival', detail: 'is in the past', expected })
  }
  const departure = readDay(query, 'departure') ?? nightAfter(arrival)
  if (departure <= arrival) {
    throw rejected({
      parameter: 'departure',
      detail: `must be after the arrival on ${arrival}`,
      expected: ['a later day, yyyy-MM-dd'],
    })
  }
  const nights = Math.round((Date.parse(departure) - Date.parse(arrival)) / oneDay)
  if (nights > maxNights) {
    throw rejected({
      parameter: 'departure',
      detail: `makes a stay of ${String(nights)} nights from ${arrival} on`,
      expected: [`1 to ${String(maxNights)} nights`],
    })
  }
  return { arrival, departure, nights }
}

function readDay(query: Query, parameter: string): string | undefined {
  const written = query[parameter]
  if (typeof written !== 'string') return undefined
  if (isDay(written)) return written
  const expected = ['yyyy-MM-dd, such as 2199-01-31']
  throw rejected({ parameter, detail: `is not a valid day: ${written}`, expected })
}

function nightAfter(arrival: string): string {
  const next = dayAfter(arrival)
  if (next !== undefined) return next
  const detail = 'is the last day of the calendar'
  throw rejected({ parameter: 'arrival', detail, expected: ['an earlier day'] })
}

export const maxRooms = 10
export const maxGuests = 20
const highestAge = 120

/** Default of `roominfo` (interface 4.5). */
const defaultRooms = '1-18,18'

/**
 * Parses `roominfo`: `<type>-<age>,<age>|<type>-<age>`.
 * @throws AppError HUB-QRY-001 with the position of the room that is not valid
 */
export function readRooms(written: string): readonly RequestedRoom[] {
  const texts = written.split('|')
  if (texts.length > maxRooms) throw refused(`has ${String(texts.length)} rooms`)
  let position = 0
  return texts.map((text, index) => {
    const room = readRoom(text, index + 1)
    if (room === undefined) throw refused(`has a room that cannot be read: ${text}`, position)
    position += text.length + 1
    return room
  })
}

/** room = type "-" age { "," age } */
function readRoom(text: string, seq: number): RequestedRoom | undefined {
  const [, typeText, agesText = ''] = /^(\d)-(\d{1,3}(?:,\d{1,3})*)$/.exec(text) ?? []
  const type = roomTypes.find((one) => String(one) === typeText)
  const ages = agesText.split(',').map(Number)
  const isSound = ages.length <= maxGuests && ages.every((age) => age <= highestAge)
  return type === undefined || !isSound ? undefined : { seq, type, ages }
}

const expected = [
  '<type>-<age>,<age>|<type>-<age>',
  `types ${roomTypes.join(', ')}`,
  `ages up to ${String(highestAge)}`,
  `up to ${String(maxRooms)} rooms of up to ${String(maxGuests)} guests`,
]

function refused(detail: string, position = 0) {
  return rejected({ parameter: 'roominfo', detail, expected, position })
}

/** Parameters of an availability check that the schema of its route has accepted. */
type RoomsQuery = Readonly<Record<string, unknown>>

/**
 * Parses an availability check, with the defaults of interface 4.5 (decision D39).
 * @throws AppError HUB-QRY-001 for values that are not valid
 */
export function readAvailabilityRequest(
  query: RoomsQuery,
  calendar: Calendar,
): AvailabilityRequest {
  const { roominfo, bokfilter, boardfilter, availabilitychecklanguage, detail, msssource } = query
  const duplicated = channels.find((channel) => channel === query['removeduplicatesfrom'])
  return {
    ...(duplicated === undefined ? {} : { withoutDuplicatesFrom: duplicated }),
    ...readStay(query, calendar),
    rooms: readRooms(typeof roominfo === 'string' ? roominfo : defaultRooms),
    boards: readBoards(typeof boardfilter === 'string' ? boardfilter : '0'),
    channels: Array.isArray(bokfilter) ? readChannels(bokfilter.map(String)) : ['hgv'],
    language: languages.find((code) => code === availabilitychecklanguage) ?? 'en',
    detail: detail === '1' ? 'full' : 'basic',
    source: typeof msssource === 'string' ? msssource : 'sinfo',
  }
}

const languages = ['de', 'it', 'en'] as const

/**
 * Parses booking channels.
 * @throws AppError HUB-QRY-001 for an unknown channel or an empty list
 */
function readChannels(written: readonly string[]): readonly Channel[] {
  const items = toItems(written).map((item) => item.toLowerCase())
  const wrong = items.find((item) => !channels.some((channel) => channel === item))
  if (wrong !== undefined || items.length === 0) {
    const detail = `has ${JSON.stringify(wrong ?? '')}, which is not a booking channel`
    throw rejected({ parameter: 'bokfilter', detail, expected: channels })
  }
  return channels.filter((channel) => items.includes(channel))
}

/**
 * Returns the boards whose bits are set, or all boards if none is. The filter `boardfilter` has
 * already refused anything that is not a sum of these bits.
 */
function readBoards(mask: string): readonly Board[] {
  const bits = Number(mask)
  const asked = boards.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
  return asked.length === 0 ? boards : asked
}

/** Roles that may check availability (decision D39). */
const roles = ['AccoReader', 'DataReader', 'BDP_VIEW_CLOSED_DATA', 'ADMIN'] as const

/** Field of the records that a check fills with offers. */
const member = 'MssResponseShort'

const check = filter({
  name: 'availabilitycheck',
  schema: Type.Boolean({
    description:
      'Only accommodations that are free for the requested stay, without paging, with their offers in MssResponseShort. Closed data: requires a token with a role for it',
  }),
  examples: { good: ['false', 'true'], bad: ['maybe', '2'] },
  read: (wanted, scope) => {
    if (!wanted) return undefined
    requireRole(scope.principal, ...roles)
    const request = readAvailabilityRequest(scope.query, calendarOf(scope))
    return ({ database, availability }) => {
      const deps = { database, provider: availability ?? storedProvider(database) }
      return Promise.resolve({
        text: textOf(request),
        condition: sql`true`,
        narrow: async (accommodations) => {
          const { found, counts } = await checkAvailability(deps, request, accommodations)
          return {
            condition: sql`id = any(${[...found.keys()]}::text[])`,
            member: { name: member, textOf: (id) => JSON.stringify(found.get(id)?.offers() ?? []) },
            envelope: counts,
            basis: counts.ResultId,
          }
        },
      })
    }
  },
})

/** Prints a check in canonical form, as `explain` shows it. */
function textOf({ arrival, departure, rooms, channels: asked, boards }: AvailabilityRequest) {
  const wanted = rooms.map(({ type, ages }) => `${String(type)}-${ages.join(',')}`).join('|')
  return `${arrival} to ${departure}, ${wanted}, ${asked.join(',')}, ${boards.join(',')}`
}

function calendarOf({ now, timeZone = 'Europe/Rome' }: Scope): Calendar {
  return { now, timeZone }
}

const stay: Filter = {
  name: 'arrival',
  parameters: [
    {
      name: 'arrival',
      schema: Type.String({
        ...dayForm,
        maxLength: 10,
        description: 'yyyy-MM-dd; default: today',
      }),
      examples: {
        good: ['2199-01-31'],
        bad: ['2199-02-30', '31.1.2199', 'tomorrow', '2001-01-01'],
      },
    },
    {
      name: 'departure',
      schema: Type.String({
        ...dayForm,
        maxLength: 10,
        description: `yyyy-MM-dd, at most ${String(maxNights)} nights later; default: the day after the arrival`,
      }),
      examples: { good: ['2199-01-31'], bad: ['2199-02-30', 'x', '2001-01-01', '9999-12-31'] },
      beside: 'arrival=2199-01-30',
    },
  ],
  read: (scope) => {
    const { arrival, departure } = scope.query
    if (arrival !== undefined || departure !== undefined) readStay(scope.query, calendarOf(scope))
    return undefined
  },
}

/** Adds no condition: the schema validates the value, and only the availability check uses it. */
const checked = () => undefined

const rooms = filter({
  name: 'roominfo',
  schema: Type.String({
    maxLength: 1000,
    description: `Rooms separated by |, each a type (0 any, 1 room, 2 apartment, 4 pitch, 8 dormitory), a hyphen and the comma-separated ages of its guests; at most ${String(maxRooms)} rooms of ${String(maxGuests)} guests; default: ${defaultRooms}`,
  }),
  examples: {
    good: [defaultRooms, '0-18|2-30,30,5'],
    bad: ['1', '3-18', '1-', '1-18|', '1-200', 'x', Array(11).fill('1-18').join('|')],
  },
  read: (written) => void readRooms(written),
})

const bookingChannels = filter({
  name: 'bokfilter',
  schema: listSchema(`Booking channels: ${channels.join(', ')}; default: hgv`),
  examples: { good: ['hgv', 'hgv,lts'], bad: ['abc', 'hgv,x', ','] },
  read: (written) => void readChannels(written),
})

/** Parameters that describe what an availability check requests. */
const requested: readonly Filter[] = [
  stay,
  rooms,
  bookingChannels,
  filter({
    name: 'msssource',
    schema: Type.String({
      ...form(
        '^[A-Za-z0-9_-]{1,50}$',
        'has more than 50 characters, or characters other than letters, digits, _ and -',
      ),
      maxLength: 50,
      description: 'Source of the availability check; default: sinfo',
    }),
    examples: { good: ['sinfo'], bad: ['a b', 'x'.repeat(51)] },
    read: checked,
  }),
  filter({
    name: 'availabilitychecklanguage',
    schema: Type.Enum([...languages], {
      description: 'Language of the texts of the availability check; default: en',
    }),
    examples: { good: ['de', 'en'], bad: ['fr', 'DE '] },
    read: checked,
  }),
  filter({
    name: 'detail',
    schema: Type.Enum(['0', '1'], { description: '1 full detail, 0 basic; default: 0' }),
    examples: { good: ['0', '1'], bad: ['2', 'full'] },
    read: checked,
  }),
  filter({
    name: 'ltsapiversion',
    schema: Type.Enum(['v1', 'v2'], {
      description: 'Version of the upstream availability service; default: v2',
    }),
    examples: { good: ['v1', 'v2'], bad: ['2', 'v3'] },
    read: checked,
  }),
]

/** Parameters of the availability check (interface 4.5, decision D39). */
export const availabilityParameters: readonly Filter[] = [
  // First, so that a caller without a role for the check gets that error before any other.
  check,
  ...requested.map((one) => ({
    ...one,
    onlyWith: check.name,
    parameters: one.parameters.map(({ beside, ...parameter }) => ({
      ...parameter,
      beside: [...(beside === undefined ? [] : [beside]), `${check.name}=true`].join('&'),
    })),
  })),
]

/** Counts of a check, named as in the list envelope (reference content.md 8.1.7). */
type Counts = {
  /**
   * Accommodations available over a channel with immediate booking, which is any channel but `lts`.
   */
  readonly OnlineResults: number
  /** Digest of the check and its offers: equal checks with equal offers have equal values. */
  readonly ResultId: string
  readonly AvailableOnline: number
  /** Accommodations available over `lts`, where the accommodation confirms each booking. */
  readonly AvailableOnRequest: number
  readonly AccommodationsRequested: number
}

type Checked = {
  readonly found: ReadonlyMap<string, Availability>
  readonly counts: Counts
}

type Deps = { readonly database: Queryable; readonly provider: AvailabilityProvider }

const onRequest: Channel = 'lts'

/**
 * Queries a provider and counts its results.
 * @param accommodations a statement that selects the identifiers of the accommodations to check
 */
async function checkAvailability(
  { database, provider }: Deps,
  request: AvailabilityRequest,
  accommodations: Sql,
): Promise<Checked> {
  const found = withoutDuplicates(request, await provider.check(request, accommodations))
  const channels = [...found.values()].map((one) => one.channels)
  const online = channels.filter((names) => names.some((name) => name !== onRequest)).length
  return {
    found,
    counts: {
      OnlineResults: online,
      ResultId: digestOf(request, found),
      AvailableOnline: online,
      AvailableOnRequest: channels.filter((names) => names.includes(onRequest)).length,
      AccommodationsRequested: await count(database, accommodations),
    },
  }
}

type Found = Checked['found']

function withoutDuplicates({ withoutDuplicatesFrom }: AvailabilityRequest, found: Found): Found {
  if (withoutDuplicatesFrom === undefined) return found
  const kept = [...found].map(([id, available]) => {
    const channels = available.channels.filter((channel) => channel !== withoutDuplicatesFrom)
    if (channels.length === 0) return [id, available] as const
    const offers = () =>
      available.offers().filter(({ ChannelID }) => ChannelID !== withoutDuplicatesFrom)
    return [id, { ...available, channels, offers }] as const
  })
  return new Map(kept)
}

function digestOf(request: AvailabilityRequest, found: Found): string {
  const hash = createHash('sha256').update(JSON.stringify(request))
  for (const [id, { state }] of found) hash.update(JSON.stringify([id, state]))
  return hash.digest('base64url').slice(0, 22)
}

async function count(database: Queryable, accommodations: Sql): Promise<number> {
  const [row] = await database.texts(sql`select count(*) from (${accommodations}) as requested`)
  return Number(row?.[0] ?? 0)
}
