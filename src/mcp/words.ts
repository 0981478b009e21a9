/** Removes accents and case from a text, so that different spellings of a word compare equal. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase().trim()
}

/** Splits a text into folded words. Camel case is split, too: `ParkingStation` has two words. */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return fold(apart)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** Minimum length of a common prefix. Fewer letters do not identify a word. */
const stem = 4

/**
 * Returns how similar two folded words are, from 0 to 1. Words are similar if they are equal, share
 * a prefix (as most forms of a word do in German, Italian and English), or if one contains the
 * other (as German compounds do).
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same += 1
  if (same >= stem && same >= short.length - 2) return 0.6 + (same / long.length) * 0.4
  return short.length > stem && long.includes(short) ? 0.5 : 0
}
