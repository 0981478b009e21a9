import type { Phrase, WidePhrase } from './phrase.ts'

/** Activities: what to do on foot, by bike, on ropes and on snow. {mark} is a landmark, {place} a village. */
export type ActivityKind = {
  /** Tags from the general to the specific. */
  readonly tags: readonly string[]
  readonly season: 'summer' | 'winter' | 'all'
  readonly names: readonly Phrase[]
  readonly texts: readonly Phrase[]
}

export const activityKinds: readonly ActivityKind[] = [
  {
    tags: ['summer', 'hiking'],
    season: 'summer',
    names: [
      { de: 'Rundwanderung {mark}', it: 'Giro {mark}', en: '{mark} circular walk' },
      {
        de: 'Von {place} zur {mark}-Alm',
        it: 'Da {place} alla malga {mark}',
        en: 'From {place} to the {mark} alp',
      },
      { de: 'Höhenweg {mark}', it: 'Alta via {mark}', en: '{mark} high trail' },
    ],
    texts: [
      {
        de: 'Der Weg steigt von {place} durch Lärchenwald an und gibt bei {mark} den Blick frei.',
        it: 'Il sentiero sale da {place} tra i larici e a {mark} si apre la vista.',
        en: 'The path climbs from {place} through larches and opens to a wide view at {mark}.',
      },
      {
        de: 'Gemütliche Tour auf alten Almwegen; unterwegs laden zwei Hütten zur Rast.',
        it: 'Tranquilla escursione su vecchie vie d’alpeggio, con due malghe lungo il percorso.',
        en: 'An easy tour on old alpine tracks, with two huts to rest at.',
      },
      {
        de: 'Nach dem ersten Anstieg geht es fast eben dahin, immer mit den Bergen vor Augen.',
        it: 'Dopo la prima salita si cammina quasi in piano, sempre con le montagne davanti.',
        en: 'After the first climb it goes almost level, always with the mountains ahead.',
      },
    ],
  },
  {
    tags: ['summer', 'biking biking tours', 'mountain bike'],
    season: 'summer',
    names: [
      { de: 'Bike-Tour {mark}', it: 'Tour in bici {mark}', en: '{mark} bike tour' },
      { de: 'Trail {mark}', it: 'Trail {mark}', en: '{mark} trail' },
    ],
    texts: [
      {
        de: 'Forststraße hinauf, flowiger Trail hinunter: eine runde Sache ab {place}.',
        it: 'Su per la strada forestale, giù per un trail scorrevole: un bel giro da {place}.',
        en: 'Up on a forest road, down on a flowing trail: a fine round from {place}.',
      },
      {
        de: 'Der Anstieg nach {mark} ist lang, aber nirgends steiler als zwölf Prozent.',
        it: 'La salita verso {mark} è lunga, ma non supera mai il dodici per cento.',
        en: 'The climb to {mark} is long but nowhere steeper than twelve per cent.',
      },
    ],
  },
  {
    tags: ['summer', 'climbing', 'vie ferrate'],
    season: 'summer',
    names: [
      { de: 'Klettersteig {mark}', it: 'Via ferrata {mark}', en: '{mark} via ferrata' },
      { de: 'Klettergarten {mark}', it: 'Falesia {mark}', en: '{mark} crag' },
    ],
    texts: [
      {
        de: 'Fester Fels, gute Sicherungen und am Ausstieg ein Platz in der Sonne.',
        it: 'Roccia solida, buone protezioni e all’uscita un posto al sole.',
        en: 'Solid rock, good protection, and a place in the sun at the top.',
      },
      {
        de: 'Nur für Geübte: Die Platte unter {mark} verlangt Kraft und Ruhe.',
        it: 'Solo per esperti: la placca sotto {mark} richiede forza e calma.',
        en: 'For the experienced only: the slab below {mark} asks for strength and calm.',
      },
    ],
  },
  {
    tags: ['winter', 'alpine skiing', 'slope'],
    season: 'winter',
    names: [
      { de: 'Piste {mark}', it: 'Pista {mark}', en: '{mark} slope' },
      { de: 'Talabfahrt {mark}', it: 'Discesa a valle {mark}', en: '{mark} run to the valley' },
    ],
    texts: [
      {
        de: 'Breite, täglich präparierte Abfahrt mit einem steilen Schlusshang.',
        it: 'Pista larga, preparata ogni giorno, con un muro finale ripido.',
        en: 'A wide run, groomed every day, with a steep final slope.',
      },
      {
        de: 'Am Morgen liegt sie in der Sonne, am Nachmittag wird es auf {mark} ruhig.',
        it: 'Al mattino è al sole, nel pomeriggio a {mark} torna la calma.',
        en: 'It lies in the sun in the morning, and in the afternoon {mark} grows quiet.',
      },
    ],
  },
  {
    tags: ['winter', 'ski lift', 'cabinet train'],
    season: 'all',
    names: [
      { de: 'Kabinenbahn {mark}', it: 'Cabinovia {mark}', en: '{mark} gondola' },
      { de: 'Sessellift {mark}', it: 'Seggiovia {mark}', en: '{mark} chairlift' },
    ],
    texts: [
      {
        de: 'In neun Minuten von {place} hinauf zu {mark}; Fahrräder fahren mit.',
        it: 'In nove minuti da {place} fino a {mark}; le biciclette viaggiano a bordo.',
        en: 'Nine minutes from {place} up to {mark}; bicycles ride along.',
      },
      {
        de: 'Die Bahn wurde 2019 erneuert und läuft mit Strom aus dem Wildbach.',
        it: 'L’impianto è stato rinnovato nel 2019 e funziona con l’energia del torrente.',
        en: 'The lift was renewed in 2019 and runs on power from the mountain stream.',
      },
    ],
  },
  {
    tags: ['winter', 'sledging trail'],
    season: 'winter',
    names: [{ de: 'Rodelbahn {mark}', it: 'Pista da slittino {mark}', en: '{mark} sledge run' }],
    texts: [
      {
        de: 'Zu Fuß oder mit dem Lift hinauf, auf zwei Kufen hinunter bis {place}.',
        it: 'Si sale a piedi o con l’impianto e si scende su due pattini fino a {place}.',
        en: 'Up on foot or by lift, and down on two runners to {place}.',
      },
      {
        de: 'Dreimal in der Woche ist die Bahn bis 22 Uhr beleuchtet.',
        it: 'Tre volte la settimana la pista è illuminata fino alle 22.',
        en: 'Three nights a week the run is lit until ten.',
      },
    ],
  },
  {
    tags: ['winter', 'crosscountry skiing', 'crosscountry skitrack'],
    season: 'winter',
    names: [{ de: 'Loipe {mark}', it: 'Pista da fondo {mark}', en: '{mark} cross-country track' }],
    texts: [
      {
        de: 'Klassisch und Skating, fast eben, mit Einstieg am Dorfrand von {place}.',
        it: 'Classico e skating, quasi in piano, con partenza ai margini di {place}.',
        en: 'Classic and skating, almost level, starting at the edge of {place}.',
      },
      {
        de: 'Schneesicher von Dezember bis März, mit Wärmestube bei {mark}.',
        it: 'Neve garantita da dicembre a marzo, con locale riscaldato presso {mark}.',
        en: 'Snow from December to March, with a warming room near {mark}.',
      },
    ],
  },
  {
    tags: ['winter', 'winter hiking'],
    season: 'winter',
    names: [
      { de: 'Winterwanderung {mark}', it: 'Escursione invernale {mark}', en: '{mark} winter walk' },
    ],
    texts: [
      {
        de: 'Der geräumte Weg führt durch den stillen Wald; bei {mark} gibt es heißen Tee.',
        it: 'Il sentiero battuto attraversa il bosco silenzioso; a {mark} c’è tè caldo.',
        en: 'The cleared path leads through quiet woods, and there is hot tea at {mark}.',
      },
    ],
  },
]

export const advice: readonly Phrase[] = [
  {
    de: 'Festes Schuhwerk und ein Wetterblick am Morgen gehören dazu.',
    it: 'Servono scarpe robuste e uno sguardo alle previsioni del mattino.',
    en: 'Sturdy shoes and a look at the morning forecast are part of it.',
  },
  {
    de: 'Am schönsten ist es unter der Woche, wenn die Berge den Einheimischen gehören.',
    it: 'Il momento più bello è durante la settimana, quando i monti sono dei locali.',
    en: 'It is loveliest on weekdays, when the mountains belong to those who live here.',
  },
  {
    de: 'Hunde sind an der Leine willkommen.',
    it: 'I cani sono benvenuti al guinzaglio.',
    en: 'Dogs are welcome on a lead.',
  },
  {
    de: 'Wasser gibt es am Brunnen im Dorf, danach erst wieder oben.',
    it: 'L’acqua si trova alla fontana del paese, poi solo in quota.',
    en: 'There is water at the village fountain, and then only at the top.',
  },
]

export const gettingThere: readonly Phrase[] = [
  {
    de: 'Mit dem Bus bis {place}, von dort beschildert.',
    it: 'In autobus fino a {place}, poi seguire le indicazioni.',
    en: 'By bus to {place}, signposted from there.',
  },
  {
    de: 'Parkplatz am Ortsrand von {place}; bei Andrang hilft der Wanderbus.',
    it: 'Parcheggio ai margini di {place}; nei giorni affollati c’è il bus escursioni.',
    en: 'Car park at the edge of {place}; on busy days the hikers’ bus helps.',
  },
  {
    de: 'Vom Bahnhof zehn Minuten zu Fuß.',
    it: 'Dieci minuti a piedi dalla stazione.',
    en: 'Ten minutes on foot from the station.',
  },
]

export const shorts: readonly WidePhrase[] = [
  {
    de: 'Tour bei {place} zwischen Wald und Fels.',
    it: 'Escursione presso {place} tra bosco e roccia.',
    en: 'A tour near {place} between woods and rock.',
    nl: 'Tocht bij {place} tussen bos en rots.',
    cs: 'Túra u obce {place} mezi lesem a skalami.',
    pl: 'Wycieczka koło miejscowości {place} między lasem a skałami.',
    fr: 'Randonnée près de {place}, entre forêt et rochers.',
    ru: 'Маршрут близ {place} между лесом и скалами.',
  },
  {
    de: 'Bewegung an der frischen Luft rund um {place}.',
    it: 'Movimento all’aria aperta intorno a {place}.',
    en: 'Out in the fresh air around {place}.',
    nl: 'Buiten bewegen rond {place}.',
    cs: 'Pohyb na čerstvém vzduchu v okolí obce {place}.',
    pl: 'Ruch na świeżym powietrzu wokół miejscowości {place}.',
    fr: 'Bouger au grand air autour de {place}.',
    ru: 'Движение на свежем воздухе вокруг {place}.',
  },
]
