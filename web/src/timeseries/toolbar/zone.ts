/** Whose clocks: the first is meant where the address says nothing. */
export const zoneWords = ['region', 'utc', 'browser'] as const

export type ZoneWord = (typeof zoneWords)[number]

/** The zone of the reader's machine. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The IANA name behind a choice. */
export function zoneOf(word: ZoneWord, region: string): string {
  return { region, utc: 'UTC', browser: browserZone() }[word]
}
