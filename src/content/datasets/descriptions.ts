import type { Visibility } from '../../access/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Naming } from '../naming.ts'

/** What a dataset holds, for people. */
export type Description = {
  readonly dataspace: 'tourism' | 'mobility' | 'weather' | 'other'
  readonly title: string
  readonly en: string
  readonly de: string
  readonly it: string
}

/** What visitors meet, by the names of the entities. */
const tourismDescriptions: Readonly<Record<string, Description>> = {
  Accommodation: {
    dataspace: 'tourism',
    title: 'Accommodations',
    en: 'Hotels, guesthouses, farm stays and other lodging.',
    de: 'Hotels, Pensionen, Bauernhöfe und andere Unterkünfte.',
    it: 'Alberghi, pensioni, agriturismi e altri alloggi.',
  },
  AccommodationRoom: {
    dataspace: 'tourism',
    title: 'Rooms of the accommodations',
    en: 'Rooms, apartments and pitches of the accommodations; a token is needed.',
    de: 'Zimmer, Ferienwohnungen und Stellplätze der Unterkünfte; ein Token ist nötig.',
    it: 'Camere, appartamenti e piazzole degli alloggi; serve un token.',
  },
  ActivityPoi: {
    dataspace: 'tourism',
    title: 'Activities and points of interest',
    en: 'Activities, points of interest and gastronomy.',
    de: 'Aktivitäten, Sehenswürdigkeiten und Gastronomie.',
    it: 'Attività, punti di interesse e gastronomia.',
  },
  Event: {
    dataspace: 'tourism',
    title: 'Events',
    en: 'Cultural, sports and seasonal events.',
    de: 'Veranstaltungen: Kultur, Sport, Jahreszeiten.',
    it: 'Manifestazioni culturali, sportive e stagionali.',
  },
  EventShort: {
    dataspace: 'tourism',
    title: 'Short events',
    en: 'What happens in the rooms of a campus.',
    de: 'Was in den Räumen eines Campus stattfindet.',
    it: 'Che cosa succede nelle sale di un campus.',
  },
  Article: {
    dataspace: 'tourism',
    title: 'Articles',
    en: 'Editorial content: news, recipes, press releases.',
    de: 'Redaktionelle Beiträge: Neuigkeiten, Rezepte, Pressemitteilungen.',
    it: 'Contenuti redazionali: notizie, ricette, comunicati stampa.',
  },
  WebcamInfo: {
    dataspace: 'tourism',
    title: 'Webcams',
    en: 'Webcams: where they stand and what they show.',
    de: 'Webcams: wo sie stehen und was sie zeigen.',
    it: 'Webcam: dove si trovano e che cosa mostrano.',
  },
  Venue: {
    dataspace: 'tourism',
    title: 'Venues',
    en: 'Places for meetings and events, room by room.',
    de: 'Orte für Tagungen und Veranstaltungen, Raum für Raum.',
    it: 'Luoghi per riunioni ed eventi, sala per sala.',
  },
  MetaRegion: {
    dataspace: 'tourism',
    title: 'Meta regions',
    en: 'Holiday areas made of several regions.',
    de: 'Feriengebiete aus mehreren Regionen.',
    it: 'Aree vacanza formate da più regioni.',
  },
  Region: {
    dataspace: 'tourism',
    title: 'Regions',
    en: 'Tourism regions.',
    de: 'Tourismusregionen.',
    it: 'Regioni turistiche.',
  },
  ExperienceArea: {
    dataspace: 'tourism',
    title: 'Experience areas',
    en: 'Areas that are promoted together.',
    de: 'Gebiete, die gemeinsam beworben werden.',
    it: 'Aree promosse insieme.',
  },
  Municipality: {
    dataspace: 'tourism',
    title: 'Municipalities',
    en: 'Municipalities.',
    de: 'Gemeinden.',
    it: 'Comuni.',
  },
  District: {
    dataspace: 'tourism',
    title: 'Districts',
    en: 'Parts of municipalities.',
    de: 'Fraktionen der Gemeinden.',
    it: 'Frazioni dei comuni.',
  },
  Area: {
    dataspace: 'tourism',
    title: 'Areas',
    en: 'Areas of the originating sources.',
    de: 'Gebiete der Datenquellen.',
    it: 'Aree delle fonti.',
  },
  SkiArea: {
    dataspace: 'tourism',
    title: 'Ski areas',
    en: 'Ski areas with slopes and lifts.',
    de: 'Skigebiete mit Pisten und Liften.',
    it: 'Aree sciistiche con piste e impianti.',
  },
  SkiRegion: {
    dataspace: 'tourism',
    title: 'Ski regions',
    en: 'Regions made of several ski areas.',
    de: 'Regionen aus mehreren Skigebieten.',
    it: 'Regioni formate da più aree sciistiche.',
  },
  TourismAssociation: {
    dataspace: 'tourism',
    title: 'Tourism associations',
    en: 'Local tourism organisations.',
    de: 'Örtliche Tourismusvereine.',
    it: 'Associazioni turistiche locali.',
  },
  WineAward: {
    dataspace: 'tourism',
    title: 'Wine awards',
    en: 'Wines and the awards that they won.',
    de: 'Weine und ihre Auszeichnungen.',
    it: 'Vini e i loro premi.',
  },
}

/** A dataset of the time series service, as far as its description goes. */
export type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/** What the content service asks the time series service about; the composition root hands it in. */
export type Mobility = {
  readonly load: (database: Queryable) => Promise<readonly MobilityDataset[]>
  /** What a caller with these rights sees. */
  readonly count: (
    database: Queryable,
    dataset: MobilityDataset,
    visibility: Visibility,
  ) => Promise<{ readonly open: number; readonly closed: number }>
  /** What the version of the dataset is kept under. */
  readonly versionedAs: (dataset: MobilityDataset) => string
}

/** For a hub that serves content only. */
export const noMobility: Mobility = {
  load: () => Promise.resolve([]),
  count: () => Promise.resolve({ open: 0, closed: 0 }),
  versionedAs: ({ kind, name }) => `${kind}/${name}`,
}

const roots = { node: 'flat,node', edge: 'flat,edge', event: 'flat,event' } as const

/** The path of the dataset, segment by segment. */
export function pathOf({ kind, name }: MobilityDataset): readonly string[] {
  return ['v2', roots[kind], name]
}

/** The dataset that a path leads to; undefined for what is none, such as a list of several types. */
export function mobilityAt([version, root, name, ...more]: readonly string[]):
  MobilityDataset | undefined {
  if (version !== 'v2' || name === undefined || /[*,]/.test(name)) return undefined
  // Behind a station type come data types: the records are the same stations.
  const kind = kinds.find(
    (one) => roots[one] === root || root === roots[one].replace('flat', 'tree'),
  )
  const isNode = kind === 'node' || root === 'flat' || root === 'tree'
  if (isNode) return { kind: 'node', name }
  return kind === undefined || more.length > 0 ? undefined : { kind, name }
}

const kinds = ['node', 'edge', 'event'] as const

/** A text in the languages of the region. */
export type InLanguages = { readonly de: string; readonly it: string; readonly en: string }

/** What the datasets are called in German and Italian, by the names of the entities. */
const titles: Readonly<Record<string, readonly [de: string, it: string]>> = {
  Accommodation: ['Unterkünfte', 'Alloggi'],
  AccommodationRoom: ['Zimmer der Unterkünfte', 'Camere degli alloggi'],
  ActivityPoi: ['Aktivitäten und Sehenswürdigkeiten', 'Attività e punti di interesse'],
  Event: ['Veranstaltungen', 'Manifestazioni'],
  EventShort: ['Kurzveranstaltungen', 'Eventi brevi'],
  Article: ['Artikel', 'Articoli'],
  WebcamInfo: ['Webcams', 'Webcam'],
  Venue: ['Veranstaltungsorte', 'Sedi per eventi'],
  MetaRegion: ['Metaregionen', 'Metaregioni'],
  Region: ['Regionen', 'Regioni'],
  ExperienceArea: ['Erlebnisgebiete', 'Aree di esperienza'],
  Municipality: ['Gemeinden', 'Comuni'],
  District: ['Fraktionen', 'Frazioni'],
  Area: ['Gebiete', 'Aree'],
  SkiArea: ['Skigebiete', 'Aree sciistiche'],
  SkiRegion: ['Skiregionen', 'Regioni sciistiche'],
  TourismAssociation: ['Tourismusvereine', 'Associazioni turistiche'],
  WineAward: ['Weinauszeichnungen', 'Premi del vino'],
  Weather: ['Wetterberichte', 'Bollettini meteo'],
  WeatherDistrict: ['Wetter nach Bezirken', 'Meteo per comprensorio'],
  WeatherForecast: ['Wettervorhersage', 'Previsioni del tempo'],
  WeatherRealtime: ['Wetterstationen', 'Stazioni meteo'],
  Measuringpoint: ['Messpunkte', 'Punti di misura'],
  MetaData: ['Metadaten', 'Metadati'],
  Tag: ['Schlagwörter', 'Tag'],
  Source: ['Quellen', 'Fonti'],
  Publisher: ['Kanäle', 'Canali'],
  GeoShape: ['Geografische Umrisse', 'Confini geografici'],
  Announcement: ['Verkehrsmeldungen', 'Annunci sul traffico'],
}

/** What the dataset of an entity is called and what it holds; its name for one that nobody described. */
export function wordsOf(
  naming: Naming,
  name: string,
): { readonly dataspace: string; readonly title: InLanguages; readonly description: InLanguages } {
  const described = describeEntity(naming, name)
  const en = described?.title ?? name
  const [de, it] = titles[name === naming.activityPoi ? 'ActivityPoi' : name] ?? [en, en]
  const { de: inGerman = '', it: inItalian = '', en: inEnglish = '' } = described ?? {}
  return {
    dataspace: described?.dataspace ?? 'other',
    title: { de, it, en },
    description: { de: inGerman, it: inItalian, en: inEnglish },
  }
}

/** The description of a content entity; the activities bear the name of the deployment. */
export function describeEntity(naming: Naming, name: string): Description | undefined {
  const key = name === naming.activityPoi ? 'ActivityPoi' : name
  return tourismDescriptions[key] ?? furtherDescriptions[key]
}

/** The description of a dataset of the time series service: nothing more is known than its name. */
export function describeMobility({ kind, name }: MobilityDataset): Description {
  const dataspace = 'mobility'
  switch (kind) {
    case 'node':
      return {
        dataspace,
        title: name,
        en: `Stations of the type ${name}, their latest values and history.`,
        de: `Stationen vom Typ ${name}, ihre letzten Werte und deren Verlauf.`,
        it: `Stazioni di tipo ${name}, gli ultimi valori e lo storico.`,
      }
    case 'edge':
      return {
        dataspace,
        title: `${name}: connections`,
        en: `Connections between stations, of the type ${name}.`,
        de: `Verbindungen zwischen Stationen, vom Typ ${name}.`,
        it: `Collegamenti tra stazioni, di tipo ${name}.`,
      }
    case 'event':
      return {
        dataspace,
        title: `${name}: events`,
        en: `Events in the mobility network, from ${name}; also as a DATEX II feed.`,
        de: `Ereignisse im Verkehrsnetz, von ${name}; auch als DATEX-II-Dienst.`,
        it: `Eventi nella rete di mobilità, da ${name}; anche come feed DATEX II.`,
      }
  }
}

/** Weather, traffic and what describes other data, by the names of the entities. */
const furtherDescriptions: Readonly<Record<string, Description>> = {
  Weather: {
    dataspace: 'weather',
    title: 'Weather bulletins',
    en: 'Weather bulletins with the outlook for the next days.',
    de: 'Wetterberichte mit der Aussicht auf die nächsten Tage.',
    it: 'Bollettini meteo con le previsioni dei prossimi giorni.',
  },
  WeatherDistrict: {
    dataspace: 'weather',
    title: 'Weather by district',
    en: 'The forecast for each weather district.',
    de: 'Die Vorhersage für jeden Wetterbezirk.',
    it: 'Le previsioni per ogni comprensorio.',
  },
  WeatherForecast: {
    dataspace: 'weather',
    title: 'Weather forecast',
    en: 'The forecast for each municipality.',
    de: 'Die Vorhersage für jede Gemeinde.',
    it: 'Le previsioni per ogni comune.',
  },
  WeatherRealtime: {
    dataspace: 'weather',
    title: 'Weather stations',
    en: 'Weather stations and what they measure now.',
    de: 'Wetterstationen und was sie jetzt messen.',
    it: 'Stazioni meteo e che cosa misurano ora.',
  },
  Measuringpoint: {
    dataspace: 'weather',
    title: 'Measuring points',
    en: 'Snow and weather stations of ski areas.',
    de: 'Schnee- und Wetterstationen der Skigebiete.',
    it: 'Stazioni neve e meteo delle aree sciistiche.',
  },
  MetaData: {
    dataspace: 'other',
    title: 'Metadata',
    en: 'Descriptions of the datasets.',
    de: 'Beschreibungen der Datensätze.',
    it: 'Descrizioni dei dataset.',
  },
  Tag: {
    dataspace: 'other',
    title: 'Tags',
    en: 'Tags: what records may be tagged with.',
    de: 'Schlagwörter, die Datensätze tragen können.',
    it: 'Tag con cui si possono contrassegnare i dati.',
  },
  Source: {
    dataspace: 'other',
    title: 'Sources',
    en: 'Origins of the data.',
    de: 'Herkunft der Daten.',
    it: 'Provenienza dei dati.',
  },
  Publisher: {
    dataspace: 'other',
    title: 'Publishers',
    en: 'Channels that show the data.',
    de: 'Kanäle, die die Daten zeigen.',
    it: 'Canali che mostrano i dati.',
  },
  GeoShape: {
    dataspace: 'other',
    title: 'Geographic shapes',
    en: 'Outlines of countries, provinces and municipalities.',
    de: 'Umrisse von Ländern, Provinzen und Gemeinden.',
    it: 'Confini di stati, province e comuni.',
  },
  Announcement: {
    dataspace: 'mobility',
    title: 'Traffic announcements',
    en: 'Closures, road works, accidents and weather on the road.',
    de: 'Sperren, Baustellen, Unfälle und Wetter auf der Straße.',
    it: 'Chiusure, cantieri, incidenti e meteo sulla strada.',
  },
}
