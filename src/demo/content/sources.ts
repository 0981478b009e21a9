import type { Setting } from '../setting.ts'
import { idOf } from '../setting.ts'
import type { Collection } from './collection.ts'
import { at } from '../random.ts'

type SourceRow = readonly [key: string, de: string, it: string, en: string, access?: 'closed']

/** Origins of the records. Everything from a closed source is closed data. */
const rows: readonly SourceRow[] = [
  ['lts', 'Landestourismusverband', 'Federazione del turismo', 'Tourism federation'],
  ['idm', 'Standortagentur', 'Agenzia di sviluppo', 'Development agency'],
  ['bookings', 'Buchungszentrale', 'Centro prenotazioni', 'Booking centre', 'closed'],
  ['museums', 'Museumsverbund', 'Rete dei musei', 'Museum network'],
  ['wine', 'Weinkonsortium', 'Consorzio del vino', 'Wine consortium'],
  ['lifts', 'Seilbahnverband', 'Consorzio impianti', 'Lift operators'],
  ['meteo', 'Wetterdienst', 'Servizio meteo', 'Weather service'],
  ['cadastre', 'Landeskataster', 'Catasto provinciale', 'Land registry'],
  ['techpark', 'Technologiepark', 'Parco tecnologico', 'Technology park'],
  ['panocams', 'Panoramakameras', 'Webcam panoramiche', 'Panorama cameras'],
  ['research', 'Forschungszentrum', 'Centro di ricerca', 'Research centre', 'closed'],
  ['province_bz', 'Landesstraßendienst', 'Servizio strade', 'Road service'],
  ['traffic', 'Verkehrsmeldezentrale', 'Centrale viabilità', 'Traffic control centre'],
]

const publisherRows = [
  ['holiday-portal', 'Urlaubsportal', 'Portale vacanze', 'Holiday portal'],
  ['marketplace', 'Datenmarktplatz', 'Mercato dei dati', 'Data marketplace'],
  ['community-app', 'Bürger-App', 'App dei cittadini', 'Community app'],
  ['info-screens', 'Info-Bildschirme', 'Schermi informativi', 'Info screens'],
  ['guest-pass', 'Gästekarte', 'Carta ospiti', 'Guest pass'],
] as const

const closedSources = new Set(rows.flatMap(([key, , , , access]) => (access ? [key] : [])))

/** Whether all records of a source are closed data. */
export function isClosedSource(source: string): boolean {
  return closedSources.has(source)
}

/** Identifiers of the publishers. */
export const publisherIds = publisherRows.map(([key]) => key)

export function sources(setting: Setting): Collection {
  return {
    entity: 'Source',
    count: rows.length,
    item: (index) => {
      const [key, de, it, en] = at(rows, index)
      return {
        Id: key,
        Key: key,
        Shortname: en,
        Source: key,
        Name: { de, it, en },
        Description: {
          de: `${de} (erfundene Daten)`,
          it: `${it} (dati inventati)`,
          en: `${en} (invented data)`,
        },
        Url: `https://${key}.example`,
        Interfaces: [`${key}-push`],
        Types: ['content'],
        LicenseInfo: { License: 'CC0', ClosedData: false },
        Mapping: { demo: { id: idOf(setting, 'Source', key) } },
      }
    },
  }
}

export function publishers(): Collection {
  return {
    entity: 'Publisher',
    count: publisherRows.length,
    item: (index) => {
      const [key, de, it, en] = at(publisherRows, index)
      return {
        Id: key,
        Key: key,
        Shortname: en,
        Source: 'idm',
        Name: { de, it, en },
        Url: `https://${key}.example`,
        LicenseInfo: { License: 'CC0', ClosedData: false },
        PushConfig: [],
      }
    },
  }
}
