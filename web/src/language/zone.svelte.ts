import { keep, readKept } from '../address/kept.ts'

/** Whose clocks: the first is meant where nobody chose. */
export const zoneWords = ['region', 'utc', 'browser'] as const

export type ZoneWord = (typeof zoneWords)[number]

const kept = 'hub.zone'
const before = readKept(kept)

let word = $state<ZoneWord>(zoneWords.find((one) => one === before) ?? 'region')
let region = $state('Europe/Rome')

// Every time that is written reads it, a table hundreds of times.
const current = $derived(zoneOf(word, region))

/** The zone of the reader's machine. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zone in which every time of the page is written: the region's, unless somebody chose another. */
export const zone = {
  get word(): ZoneWord {
    return word
  },
  /** The IANA name of the region's zone; the hub says so in its settings. */
  get region(): string {
    return region
  },
  set region(next: string) {
    region = next
  },
  /** The IANA name. */
  get current(): string {
    return current
  },
  choose: (next: ZoneWord): void => {
    word = next
    keep(kept, next)
  },
}

/** The IANA name behind a choice. */
export function zoneOf(choice: ZoneWord, ofRegion: string): string {
  // The browser takes long to name its zone.
  return choice === 'browser' ? browserZone() : { region: ofRegion, utc: 'UTC' }[choice]
}
