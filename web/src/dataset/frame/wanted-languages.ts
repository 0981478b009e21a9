/** More would make addresses long, for texts that nobody reads. */
const most = 3

/**
 * The languages in which texts are requested, the wanted one first; the others stand in where it is missing.
 * @param there languages that the dataset has
 */
export function wantedLanguages(
  wanted: string,
  ofPage: string,
  there: readonly string[],
): readonly string[] {
  const first = wanted === '' ? ofPage : wanted
  const others = [ofPage, 'en', 'de', 'it', ...there].filter(
    (one) => there.length === 0 || there.includes(one),
  )
  return [...new Set([first, ...others])].slice(0, most)
}
