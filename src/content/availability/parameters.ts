import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { requireRole } from '../../access/index.ts'
import { dayForm, form } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { filter } from '../filters/filter.ts'
import type { Filter, Scope } from '../filters/filter.ts'
import { listSchema } from '../filters/values.ts'
import type { Availability, AvailabilityProvider } from './provider.ts'
import {
  languages,
  mostGuests,
  mostNights,
  mostRooms,
  readAvailabilityRequest,
  readChannels,
  readRooms,
  readStay,
  usualRooms,
} from './read-request.ts'
import type { Calendar } from './read-request.ts'
import { channels } from './request.ts'
import type { AvailabilityRequest, Channel } from './request.ts'
import { storedProvider } from './stored-provider.ts'

/** Who may ask what is free (decision D39). */
const roles = ['AccoReader', 'DataReader', 'BDP_VIEW_CLOSED_DATA', 'ADMIN'] as const

/** The member that a check fills. */
const member = 'MssResponseShort'

const check = filter({
  name: 'availabilitycheck',
  schema: Type.Boolean({
    description:
      'Only accommodations that are free as requested, all of them whatever the page, with their offers in MssResponseShort; closed data, so it takes a token with a role for it',
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

/** The check in canonical form, as `explain` shows it. */
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
        description: 'yyyy-MM-dd; absent: today',
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
        description: `yyyy-MM-dd, at most ${String(mostNights)} nights later; absent: the day after the arrival`,
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

/** Nothing to filter by: only the value is checked, for the check to use. */
const checked = () => undefined

const rooms = filter({
  name: 'roominfo',
  schema: Type.String({
    maxLength: 1000,
    description: `Rooms with | between them, each a type (0 any, 1 room, 2 apartment, 4 pitch, 8 dormitory), a hyphen and the ages of its guests with commas; at most ${String(mostRooms)} rooms of ${String(mostGuests)} guests; absent: ${usualRooms}`,
  }),
  examples: {
    good: [usualRooms, '0-18|2-30,30,5'],
    bad: ['1', '3-18', '1-', '1-18|', '1-200', 'x', Array(11).fill('1-18').join('|')],
  },
  read: (written) => void readRooms(written),
})

const bookingChannels = filter({
  name: 'bokfilter',
  schema: listSchema(`Booking channels: ${channels.join(', ')}; absent: hgv`),
  examples: { good: ['hgv', 'hgv,lts'], bad: ['abc', 'hgv,x', ','] },
  read: (written) => void readChannels(written),
})

/** The parameters of the availability check (interface 4.5, decision D39). */
export const availabilityParameters: readonly Filter[] = [
  // First, so that who may not ask is told so before anything else.
  check,
  stay,
  rooms,
  bookingChannels,
  filter({
    name: 'msssource',
    schema: Type.String({
      ...form(
        '^[A-Za-z0-9_-]{1,50}$',
        'has more than 50 characters, or others than letters, digits, _ and -',
      ),
      maxLength: 50,
      description: 'Source of the availability check; absent: sinfo',
    }),
    examples: { good: ['sinfo'], bad: ['a b', 'x'.repeat(51)] },
    read: checked,
  }),
  filter({
    name: 'availabilitychecklanguage',
    schema: Type.Enum([...languages], {
      description: 'Language of the answer to the availability check; absent: en',
    }),
    examples: { good: ['de', 'en'], bad: ['fr', 'DE '] },
    read: checked,
  }),
  filter({
    name: 'detail',
    schema: Type.Enum(['0', '1'], { description: '1 full detail, 0 basic; absent: 0' }),
    examples: { good: ['0', '1'], bad: ['2', 'full'] },
    read: checked,
  }),
  filter({
    name: 'ltsapiversion',
    schema: Type.Enum(['v1', 'v2'], {
      description: 'Version of the upstream availability service; absent: v2',
    }),
    examples: { good: ['v1', 'v2'], bad: ['2', 'v3'] },
    read: checked,
  }),
]

/** What a check found, in the words of the list envelope (reference content.md 8.1.7). */
type Counts = {
  /** Accommodations that can be had over a channel where they are booked at once: all but `lts`. */
  readonly OnlineResults: number
  /** The same for the same check with the same offers. */
  readonly ResultId: string
  readonly AvailableOnline: number
  /** Accommodations that can be had over `lts`, where the house confirms. */
  readonly AvailableOnRequest: number
  /** How many accommodations were requested. */
  readonly AccommodationsRequested: number
}

/** The outcome of a check, by accommodation. */
type Checked = {
  readonly found: ReadonlyMap<string, Availability>
  readonly counts: Counts
}

type Deps = { readonly database: Queryable; readonly provider: AvailabilityProvider }

const onRequest: Channel = 'lts'

/**
 * Asks a provider, and counts what it found.
 * @param accommodations a statement that selects the identifiers of those in question
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
