import { describeEntity } from './descriptions.ts'
import type { Naming } from '../naming.ts'

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
