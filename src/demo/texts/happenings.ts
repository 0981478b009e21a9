import type { Phrase } from './phrase.ts'

/** Events, short events, articles, venues and webcams. */

export type HappeningKind = {
  readonly tags: readonly string[]
  readonly names: readonly Phrase[]
  readonly texts: readonly Phrase[]
}

export const happeningKinds: readonly HappeningKind[] = [
  {
    tags: ['eventtopic:music'],
    names: [
      {
        de: 'Konzert im {mark}-Saal',
        it: 'Concerto nella sala {mark}',
        en: 'Concert at {mark} Hall',
      },
      {
        de: 'Platzkonzert {place}',
        it: 'Concerto in piazza a {place}',
        en: '{place} band on the square',
      },
    ],
    texts: [
      {
        de: 'Ein Abend mit Bläsern, Streichern und einem Stück, das hier noch nie zu hören war.',
        it: 'Una serata di fiati e archi con un brano mai sentito da queste parti.',
        en: 'An evening of winds and strings, with a piece never heard here before.',
      },
      {
        de: 'Die Musikkapelle von {place} spielt, was ihr Freude macht.',
        it: 'La banda di {place} suona quello che più le piace.',
        en: 'The band of {place} plays what it likes best.',
      },
    ],
  },
  {
    tags: ['eventtopic:market'],
    names: [
      {
        de: 'Bauernmarkt {place}',
        it: 'Mercato contadino di {place}',
        en: '{place} farmers’ market',
      },
      {
        de: 'Kastanienfest {place}',
        it: 'Festa delle castagne a {place}',
        en: '{place} chestnut festival',
      },
    ],
    texts: [
      {
        de: 'Brot, Käse, Äpfel und Honig von zwanzig Höfen der Umgebung.',
        it: 'Pane, formaggio, mele e miele da venti masi dei dintorni.',
        en: 'Bread, cheese, apples and honey from twenty farms nearby.',
      },
    ],
  },
  {
    tags: ['eventtopic:sport'],
    names: [
      { de: 'Berglauf {mark}', it: 'Corsa in montagna {mark}', en: '{mark} mountain run' },
      {
        de: 'Radrennen rund um {place}',
        it: 'Gara ciclistica intorno a {place}',
        en: 'Bike race around {place}',
      },
    ],
    texts: [
      {
        de: 'Start um neun auf dem Dorfplatz, Ziel bei {mark}, Nudeln für alle.',
        it: 'Partenza alle nove dalla piazza, arrivo a {mark}, pasta per tutti.',
        en: 'Start at nine on the square, finish at {mark}, pasta for everyone.',
      },
    ],
  },
  {
    tags: ['eventtopic:guidedtour'],
    names: [
      {
        de: 'Kräuterwanderung {mark}',
        it: 'Passeggiata tra le erbe {mark}',
        en: '{mark} herb walk',
      },
      { de: 'Dorfführung {place}', it: 'Visita guidata di {place}', en: 'Guided tour of {place}' },
    ],
    texts: [
      {
        de: 'Zwei Stunden mit jemandem, der jeden Stein von {place} kennt.',
        it: 'Due ore con chi conosce ogni pietra di {place}.',
        en: 'Two hours with someone who knows every stone of {place}.',
      },
      {
        de: 'Pflanzen bestimmen, riechen, kosten; am Ende gibt es Tee.',
        it: 'Riconoscere, annusare e assaggiare le piante; alla fine si beve un tè.',
        en: 'Name, smell and taste the plants; tea at the end.',
      },
    ],
  },
  {
    tags: ['eventtopic:theatre'],
    names: [
      {
        de: 'Theater: Die {stem}bäuerin',
        it: 'Teatro: La contadina {stem}',
        en: 'Theatre: The {stem} Farmer',
      },
    ],
    texts: [
      {
        de: 'Die Volksbühne {place} zeigt ein Lustspiel in drei Akten.',
        it: 'La filodrammatica di {place} presenta una commedia in tre atti.',
        en: 'The {place} players present a comedy in three acts.',
      },
    ],
  },
]

export const organiserNames: readonly Phrase[] = [
  { de: 'Kulturverein {place}', it: 'Associazione culturale {place}', en: '{place} Arts Society' },
  { de: 'Sportverein {place}', it: 'Società sportiva {place}', en: '{place} Sports Club' },
  { de: 'Bauernjugend {place}', it: 'Giovani agricoltori {place}', en: '{place} Young Farmers' },
]

export const meetingNames: readonly Phrase[] = [
  { de: 'Werkstatt: offene Daten', it: 'Laboratorio: dati aperti', en: 'Workshop: open data' },
  { de: 'Energie am Berg', it: 'Energia in montagna', en: 'Energy in the mountains' },
  {
    de: 'Treffen der Verkehrsplaner',
    it: 'Incontro dei pianificatori',
    en: 'Transport planners’ meeting',
  },
  { de: 'Gründerfrühstück', it: 'Colazione delle startup', en: 'Start-up breakfast' },
  {
    de: 'Vortrag: Schnee von morgen',
    it: 'Conferenza: la neve di domani',
    en: 'Talk: the snow of tomorrow',
  },
]

export const meetingTexts: readonly Phrase[] = [
  {
    de: 'Kurze Beiträge, viel Zeit für Fragen und danach ein Glas Apfelsaft.',
    it: 'Brevi interventi, molto tempo per le domande e poi un bicchiere di succo di mela.',
    en: 'Short talks, plenty of time for questions, and a glass of apple juice afterwards.',
  },
  {
    de: 'Für alle, die mitbauen wollen. Laptop mitbringen.',
    it: 'Per chi vuole partecipare. Portare il portatile.',
    en: 'For all who want to build along. Bring a laptop.',
  },
]

export const articleNames: readonly Phrase[] = [
  {
    de: 'Fünf Gründe für {place}',
    it: 'Cinque motivi per {place}',
    en: 'Five reasons for {place}',
  },
  { de: 'Ein Tag bei {mark}', it: 'Un giorno a {mark}', en: 'A day at {mark}' },
  {
    de: 'Wer hier kocht: {family}',
    it: 'Chi cucina qui: {family}',
    en: 'Who cooks here: {family}',
  },
  { de: 'Ohne Auto nach {place}', it: 'A {place} senza auto', en: 'To {place} without a car' },
]

export const articleTexts: readonly Phrase[] = [
  {
    de: 'Wir sind früh aufgestanden, um zu sehen, wie {place} erwacht.',
    it: 'Ci siamo alzati presto per vedere {place} al risveglio.',
    en: 'We got up early to see {place} wake.',
  },
  {
    de: 'Manches lässt sich nur zu Fuß verstehen, und {place} gehört dazu.',
    it: 'Certe cose si capiscono solo a piedi, e {place} è una di queste.',
    en: 'Some things can only be understood on foot, and {place} is one of them.',
  },
  {
    de: 'Ein Gespräch mit Familie {family} über Geduld, Mehl und Wetter.',
    it: 'Una chiacchierata con la famiglia {family} su pazienza, farina e tempo.',
    en: 'A talk with the {family} family about patience, flour and weather.',
  },
]

export const venueNames: readonly Phrase[] = [
  {
    de: 'Vereinshaus {place}',
    it: 'Casa delle associazioni {place}',
    en: '{place} Community House',
  },
  { de: 'Kulturhaus {mark}', it: 'Casa della cultura {mark}', en: '{mark} House of Culture' },
  { de: 'Tagungszentrum {place}', it: 'Centro congressi {place}', en: '{place} Congress Centre' },
]

export const hallNames: readonly Phrase[] = [
  { de: 'Großer Saal', it: 'Sala grande', en: 'Great Hall' },
  { de: 'Seminarraum', it: 'Sala seminari', en: 'Seminar room' },
  { de: 'Foyer', it: 'Foyer', en: 'Foyer' },
]

export const webcamNames: readonly Phrase[] = [
  { de: '{place} – {mark}', it: '{place} – {mark}', en: '{place} – {mark}' },
  { de: 'Panorama {mark}', it: 'Panorama {mark}', en: '{mark} panorama' },
]
