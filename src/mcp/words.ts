/** A text without accents and in lower case, so that spellings of a word are alike. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase().trim()
}

/** The words of a text, of names in camel case too: `ParkingStation` has two. */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return fold(apart)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** Fewer letters are not enough to tell what a word begins with. */
const stem = 4

/**
 * How alike two folded words are, from 0 to 1: equal, or with the same beginning, which is how most forms of a word
 * differ in German, Italian and English, or one inside the other, as in German compounds.
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same += 1
  if (same >= stem && same >= short.length - 2) return 0.6 + (same / long.length) * 0.4
  return short.length > stem && long.includes(short) ? 0.5 : 0
}
