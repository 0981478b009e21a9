/** A text as it is compared: without case and accents, `ß` as `ss`. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}

/** What somebody looks for, word by word. */
export function termsOf(search: string): readonly string[] {
  return fold(search)
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((term) => term !== '')
}

/** `ParkingStation` is also `Parking Station`, `BIKE_CHARGER` also `BIKE CHARGER`. */
export function spellOut(name: string): string {
  return `${name} ${name.replace(/(?<=\p{Ll})(?=\p{Lu})|[_\-:]/gu, ' ')}`
}
