/** Words that people look for in any of the languages, with those that datasets are described by. */
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

/** Other words for what somebody looks for; of its beginning, too, from four letters on. */
export function synonymsOf(term: string): readonly string[] {
  const isMeant = (word: string) => word === term || (term.length >= 4 && word.startsWith(term))
  return groups
    .filter((words) => words.some(isMeant))
    .flat()
    .filter((word) => word !== term)
}

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
