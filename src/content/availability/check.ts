import { createHash } from 'node:crypto'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Availability, AvailabilityProvider } from './provider.ts'
import type { AvailabilityRequest, Channel } from './request.ts'

/** What a check found, in the words of the list envelope (reference content.md 8.1.7). */
export type Counts = {
  /** Accommodations that can be had over a channel where they are booked at once: all but `lts`. */
  readonly OnlineResults: number
  /** The same for the same check with the same offers. */
  readonly ResultId: string
  readonly AvailableOnline: number
  /** Accommodations that can be had over `lts`, where the house confirms. */
  readonly AvailableOnRequest: number
  /** How many accommodations were asked for. */
  readonly AccommodationsRequested: number
}

/** The outcome of a check, by accommodation. */
export type Checked = {
  readonly found: ReadonlyMap<string, Availability>
  readonly counts: Counts
}

type Deps = { readonly database: Queryable; readonly provider: AvailabilityProvider }

const onRequest: Channel = 'lts'

/**
 * Asks a provider, and counts what it found.
 * @param accommodations a statement that selects the identifiers of those in question
 */
export async function checkAvailability(
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
