import type { Phrase } from './phrase.ts'

/** The twelve kinds of traffic event. {road}, {from} and {to} are a road and villages on it, {km} a number. */
export type TrafficKind = {
  readonly tag: string
  /** A wider tag that is given as well. */
  readonly also?: string
  readonly severity: 'low' | 'medium' | 'high'
  /** Whether its end is known from the beginning. */
  readonly planned: boolean
  /** Shortest and longest duration in minutes. */
  readonly lasts: readonly [number, number]
  /** How long before its start it is told at most, in minutes. */
  readonly notice: number
  /** Length along the road as a share of it; 0 is a spot. */
  readonly extent: number
  readonly title: Phrase
  readonly texts: readonly Phrase[]
  readonly datex?: Readonly<Record<string, unknown>>
}

export const trafficKinds: readonly TrafficKind[] = [
  {
    tag: 'congestion',
    ...{ severity: 'high', planned: false, lasts: [40, 240], notice: 0, extent: 0.06 },
    title: { de: 'Stau', it: 'Coda', en: 'Congestion' },
    texts: [
      {
        de: '{road}: {km} km stockender Verkehr zwischen {from} und {to}.',
        it: '{road}: {km} km di code tra {from} e {to}.',
        en: '{road}: {km} km of queuing traffic between {from} and {to}.',
      },
      {
        de: '{road}: Reiseverkehr, zähfließend bei {from}.',
        it: '{road}: traffico intenso e rallentamenti presso {from}.',
        en: '{road}: holiday traffic, slow near {from}.',
      },
    ],
  },
  {
    tag: 'accident',
    ...{ severity: 'high', planned: false, lasts: [50, 300], notice: 0, extent: 0 },
    title: { de: 'Unfall', it: 'Incidente', en: 'Accident' },
    texts: [
      {
        de: '{road}: Unfall bei {from}, ein Fahrstreifen gesperrt.',
        it: '{road}: incidente presso {from}, una corsia chiusa.',
        en: '{road}: accident near {from}, one lane closed.',
      },
      {
        de: '{road}: Unfall mit mehreren Fahrzeugen zwischen {from} und {to}.',
        it: '{road}: incidente con più veicoli tra {from} e {to}.',
        en: '{road}: accident with several vehicles between {from} and {to}.',
      },
    ],
    datex: { type: 'Accident', accidentType: 'multivehicleAccident' },
  },
  {
    tag: 'animal-on-road',
    ...{ severity: 'high', planned: false, lasts: [20, 120], notice: 0, extent: 0 },
    title: { de: 'Tiere auf der Fahrbahn', it: 'Animali sulla strada', en: 'Animals on the road' },
    texts: [
      {
        de: '{road}: Kühe auf der Fahrbahn bei {from}, bitte langsam fahren.',
        it: '{road}: mucche sulla carreggiata presso {from}, procedere lentamente.',
        en: '{road}: cows on the road near {from}, please drive slowly.',
      },
    ],
  },
  {
    tag: 'caution',
    ...{ severity: 'medium', planned: false, lasts: [60, 600], notice: 0, extent: 0 },
    title: { de: 'Vorsicht', it: 'Attenzione', en: 'Caution' },
    texts: [
      {
        de: '{road}: Steine auf der Fahrbahn bei {from}.',
        it: '{road}: sassi sulla carreggiata presso {from}.',
        en: '{road}: stones on the road near {from}.',
      },
    ],
  },
  {
    tag: 'road-work',
    also: 'hindrance',
    ...{ severity: 'medium', planned: true, lasts: [2880, 25_000], notice: 4320, extent: 0.03 },
    title: { de: 'Baustelle', it: 'Cantiere stradale', en: 'Road works' },
    texts: [
      {
        de: '{road}: Asphaltierung zwischen {from} und {to}, wechselweise eine Spur.',
        it: '{road}: asfaltatura tra {from} e {to}, senso unico alternato.',
        en: '{road}: resurfacing between {from} and {to}, one lane in turns.',
      },
      {
        de: '{road}: Arbeiten an der Stützmauer bei {from}.',
        it: '{road}: lavori al muro di sostegno presso {from}.',
        en: '{road}: work on the retaining wall near {from}.',
      },
    ],
  },
  {
    tag: 'weather-related',
    ...{ severity: 'high', planned: false, lasts: [90, 700], notice: 0, extent: 0.1 },
    title: { de: 'Nebel', it: 'Nebbia', en: 'Fog' },
    texts: [
      {
        de: '{road}: Nebel mit Sichtweiten unter 50 m zwischen {from} und {to}.',
        it: '{road}: nebbia con visibilità inferiore a 50 m tra {from} e {to}.',
        en: '{road}: fog with less than 50 m visibility between {from} and {to}.',
      },
    ],
  },
  {
    tag: 'event',
    ...{ severity: 'medium', planned: true, lasts: [180, 720], notice: 4320, extent: 0 },
    title: { de: 'Veranstaltung', it: 'Manifestazione', en: 'Event' },
    texts: [
      {
        de: '{road}: Radrennen durch {from}, mit Verzögerungen ist zu rechnen.',
        it: '{road}: gara ciclistica a {from}, possibili rallentamenti.',
        en: '{road}: bicycle race through {from}, expect delays.',
      },
    ],
  },
  {
    tag: 'prohibition',
    ...{ severity: 'high', planned: true, lasts: [600, 1800], notice: 2880, extent: 0.2 },
    title: { de: 'Fahrverbot für Lkw', it: 'Divieto per mezzi pesanti', en: 'Lorry ban' },
    texts: [
      {
        de: '{road}: Fahrverbot für Lkw über 7,5 t zwischen {from} und {to}.',
        it: '{road}: divieto di transito oltre 7,5 t tra {from} e {to}.',
        en: '{road}: no lorries above 7.5 t between {from} and {to}.',
      },
    ],
  },
  {
    tag: 'closure',
    ...{ severity: 'high', planned: true, lasts: [300, 2880], notice: 1440, extent: 0.04 },
    title: { de: 'Sperre', it: 'Chiusura', en: 'Closure' },
    texts: [
      {
        de: '{road}: zwischen {from} und {to} gesperrt, Umleitung beschildert.',
        it: '{road}: chiusa tra {from} e {to}, deviazione segnalata.',
        en: '{road}: closed between {from} and {to}, diversion signposted.',
      },
    ],
  },
  {
    tag: 'hindrance',
    ...{ severity: 'medium', planned: false, lasts: [60, 900], notice: 0, extent: 0 },
    title: { de: 'Behinderung', it: 'Intralcio', en: 'Hindrance' },
    texts: [
      {
        de: '{road}: defektes Fahrzeug bei {from}, Verkehr wird vorbeigeleitet.',
        it: '{road}: veicolo in panne presso {from}, il traffico viene deviato.',
        en: '{road}: broken-down vehicle near {from}, traffic is led past.',
      },
    ],
  },
  {
    tag: 'speed-camera',
    ...{ severity: 'low', planned: true, lasts: [240, 720], notice: 600, extent: 0 },
    title: { de: 'Geschwindigkeitskontrolle', it: 'Controllo velocità', en: 'Speed check' },
    texts: [
      {
        de: '{road}: Geschwindigkeitskontrolle bei {from}.',
        it: '{road}: controllo della velocità presso {from}.',
        en: '{road}: speed check near {from}.',
      },
    ],
  },
  {
    tag: 'road-condition',
    ...{ severity: 'medium', planned: false, lasts: [300, 1500], notice: 0, extent: 0.15 },
    title: { de: 'Winterausrüstung', it: 'Attrezzatura invernale', en: 'Winter equipment' },
    texts: [
      {
        de: '{road}: Schneefahrbahn zwischen {from} und {to}, Winterausrüstung nötig.',
        it: '{road}: neve tra {from} e {to}, obbligo di attrezzatura invernale.',
        en: '{road}: snow between {from} and {to}, winter equipment needed.',
      },
    ],
  },
]

/** What a later version adds. */
export const updates: readonly Phrase[] = [
  { de: 'Die Lage dauert länger an.', it: 'La situazione si protrae.', en: 'It will take longer.' },
  { de: 'Einsatzkräfte vor Ort.', it: 'Soccorsi sul posto.', en: 'Crews are on the spot.' },
  { de: 'Besserung in Sicht.', it: 'Miglioramento in vista.', en: 'It is getting better.' },
]

export const ending: Phrase = {
  de: 'Wieder frei.',
  it: 'Di nuovo percorribile.',
  en: 'Clear again.',
}

export const cancellation: Phrase = { de: 'Abgesagt.', it: 'Annullato.', en: 'Cancelled.' }
