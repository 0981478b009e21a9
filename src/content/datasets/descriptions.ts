import type { Naming } from '../naming.ts'
import type { Description } from './description.ts'
import { tourismDescriptions } from './descriptions-tourism.ts'
import type { MobilityDataset } from './mobility.ts'

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
