import { keep, readKept } from '../address/kept.ts'

/** Choices of a time zone; the first is the default. */
export const zoneWords = ['region', 'utc', 'browser'] as const

export type ZoneWord = (typeof zoneWords)[number]

const kept = 'hub.zone'
const before = readKept(kept)

let word = $state<ZoneWord>(zoneWords.find((one) => one === before) ?? 'region')
let region = $state('Europe/Rome')

// Derived, because every displayed time reads it, hundreds of times in a table.
const current = $derived(zoneOf(word, region))

/** Returns the time zone of the user's machine. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The time zone of all displayed times: the region's, unless the user chose another. */
export const zone = {
  get word(): ZoneWord {
    return word
  },
  /** IANA name of the region's time zone, from the hub's settings. */
  get region(): string {
    return region
  },
  set region(next: string) {
    region = next
  },
  /** IANA name of the current time zone. */
  get current(): string {
    return current
  },
  choose: (next: ZoneWord): void => {
    word = next
    keep(kept, next)
  },
}

/** Returns the IANA name of a choice. */
export function zoneOf(choice: ZoneWord, ofRegion: string): string {
  // Only computed on demand, because browsers are slow to return their time zone.
  return choice === 'browser' ? browserZone() : { region: ofRegion, utc: 'UTC' }[choice]
}
