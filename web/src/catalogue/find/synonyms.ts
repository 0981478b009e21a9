/** Groups of synonyms in all languages, including the words that datasets are described with. */
const groups = [
  'parking parken parkplatz parkplätze parcheggio parcheggi garage posteggio',
  'hotel accommodation unterkunft alloggio albergo pension guesthouse übernachten',
  'weather wetter meteo temperature temperatur temperatura rain regen pioggia',
  'bicycle bike fahrrad rad bici bicicletta velo cycling',
  'traffic verkehr traffico jam stau coda roadworks baustelle cantiere',
  'charging laden ladesäule ricarica colonnina electric elektroauto charger',
  'air luft aria no2 ozone ozon ozono pm10 feinstaub pollution environment',
  'event veranstaltung evento concert konzert concerto fest festival',
  'restaurant gastronomy gasthaus ristorante essen food hut hütte rifugio',
  'hike hiking wandern escursione trail activity aktivität attività',
  'ski lift piste skigebiet snow schnee neve',
  'museum museo culture kultur cultura sights sehenswürdigkeit',
  'webcam camera kamera panorama',
  'wine wein vino',
  'carsharing carpooling mitfahren auto car macchina',
  'map karte mappa border grenze confine geoshape municipality gemeinde comune',
].map((words) => fold(words).split(' '))

/** Returns the synonyms of a term. From four letters on, the start of a word is enough. */
export function synonymsOf(term: string): readonly string[] {
  const isMeant = (word: string) => word === term || (term.length >= 4 && word.startsWith(term))
  return groups
    .filter((words) => words.some(isMeant))
    .flat()
    .filter((word) => word !== term)
}

/** Normalizes a text for comparison: lower case, without accents, `ß` as `ss`. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}

/** Splits a search into normalized words. */
export function termsOf(search: string): readonly string[] {
  return fold(search)
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((term) => term !== '')
}

/**
 * Appends the separate words of a compound name: `ParkingStation` becomes
 * `ParkingStation Parking Station`, and `BIKE_CHARGER` becomes `BIKE_CHARGER BIKE CHARGER`.
 */
export function spellOut(name: string): string {
  return `${name} ${name.replace(/(?<=\p{Ll})(?=\p{Lu})|[_\-:]/gu, ' ')}`
}
