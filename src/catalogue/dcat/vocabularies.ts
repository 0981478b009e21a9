import { resource, text, texts } from './graph.ts'
import type { Resource } from './graph.ts'

/** Controlled vocabularies of the Publications Office, which DCAT-AP requires. */
export const authority = 'http://publications.europa.eu/resource/authority'

/** Builds a table for looking up names of providers. It has no inherited keys (`constructor`). */
const table = <Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(entries))

const languages = table({
  ...{ de: 'DEU', it: 'ITA', en: 'ENG', fr: 'FRA', nl: 'NLD', cs: 'CES', pl: 'POL', ru: 'RUS' },
  ...{ es: 'SPA', sl: 'SLV', hu: 'HUN', ro: 'RON', sk: 'SLK', hr: 'HRV', pt: 'POR', sv: 'SWE' },
})

export function languagesOf(codes: readonly string[]): readonly Resource[] {
  const known = codes.flatMap((code) => languages.get(code) ?? [])
  return known.map((code) => resource(`${authority}/language/${code}`))
}

const themes = table({
  tourism: 'ECON',
  mobility: 'TRAN',
  weather: 'ENVI',
  environment: 'ENVI',
})

export const themeOf = (domain: string): Resource =>
  resource(`${authority}/data-theme/${themes.get(domain) ?? 'REGI'}`)

const fileTypes = table({
  'application/json': 'JSON',
  'text/csv': 'CSV',
  'application/geo+json': 'GEOJSON',
  'application/vnd.apache.parquet': 'PARQUET',
  'application/xml': 'XML',
})

export function fileTypeOf(mediaType: string): Resource | undefined {
  const known = fileTypes.get(mediaType)
  return known === undefined ? undefined : resource(`${authority}/file-type/${known}`)
}

const accessRights = { open: 'PUBLIC', partly: 'PUBLIC', closed: 'RESTRICTED' } as const

/**
 * Partly open data counts as public, because most of it is open and only the rest needs a token.
 */
export const accessRightOf = (access: keyof typeof accessRights): Resource =>
  resource(`${authority}/access-right/${accessRights[access]}`)

/** Longest interval between updates in seconds, with its term in the vocabulary. */
const frequencies = [
  [60, '1MIN'],
  [300, '5MIN'],
  [600, '10MIN'],
  [900, '15MIN'],
  [1800, '30MIN'],
  [3600, 'HOURLY'],
  [7200, 'BIHOURLY'],
  [10_800, 'TRIHOURLY'],
  [43_200, '12HRS'],
  [86_400, 'DAILY'],
] as const

/**
 * Returns the update frequency of data that is written as it arrives: the interval between values,
 * or UPDATE_CONT if there is no regular one.
 */
export function frequencyOf(seconds: number | null): Resource {
  const regular = frequencies.find(([longest]) => seconds !== null && seconds <= longest)
  return resource(`${authority}/frequency/${regular?.[1] ?? 'UPDATE_CONT'}`)
}

/** Commission Implementing Regulation (EU) 2023/138 on high-value datasets. */
export const highValueRegulation = resource('http://data.europa.eu/eli/reg_impl/2023/138/oj')

const categories = table<readonly [id: string, de: string, it: string, en: string]>({
  geospatial: ['c_ac64a52d', 'Georaum', 'Dati geospaziali', 'Geospatial'],
  environment: [
    'c_dd313021',
    'Erdbeobachtung und Umwelt',
    'Dati relativi all’osservazione della terra e all’ambiente',
    'Earth observation and environment',
  ],
  meteorological: ['c_164e0bf5', 'Meteorologie', 'Dati meteorologici', 'Meteorological'],
  statistics: ['c_e1da4e07', 'Statistik', 'Dati statistici', 'Statistics'],
  companies: [
    'c_a9135398',
    'Unternehmen und Eigentümerschaft von Unternehmen',
    'Dati relativi alle imprese e alla proprietà delle imprese',
    'Companies and company ownership',
  ],
  mobility: ['c_b79e35eb', 'Mobilität', 'Dati relativi alla mobilità', 'Mobility'],
})

/** Returns a category of high-value datasets, or undefined for `none`. */
export function categoryOf(name: string | undefined): Resource | undefined {
  const known = categories.get(name ?? 'none')
  if (known === undefined) return undefined
  const [id, de, it, en] = known
  const labels = { 'skos:prefLabel': texts({ de, it, en }) }
  return resource(`http://data.europa.eu/bna/${id}`, 'skos:Concept', labels)
}

type Licence = { readonly code: string; readonly label: string; readonly type: string }

const attribution = 'Attribution'
const ccBy = { code: 'CC_BY', label: 'CC BY', type: attribution }
const ccZero = { code: 'CC0', label: 'CC0 1.0', type: 'PublicDomain' }

const licences = table<Licence>({
  cc0: ccZero,
  'cc0-1.0': ccZero,
  'creativecommons.org/publicdomain/zero/1.0': ccZero,
  'cc-by': ccBy,
  'cc-by-4.0': { code: 'CC_BY_4_0', label: 'CC BY 4.0', type: attribution },
  'creativecommons.org/licenses/by/4.0': {
    code: 'CC_BY_4_0',
    label: 'CC BY 4.0',
    type: attribution,
  },
  'cc-by-sa-4.0': { code: 'CC_BYSA_4_0', label: 'CC BY-SA 4.0', type: 'ViralEffect-ShareAlike' },
})

/**
 * Returns a licence under the IRI that portals recognize. Any other licence keeps its own URL, or
 * gets an IRI of the hub.
 */
export function licenceOf(name: string, publicUrl: string): Resource {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
  const known = licences.get(plain.replaceAll(' ', '-'))
  if (known === undefined) {
    const own = `${publicUrl}/catalogue#licence-${encodeURIComponent(name.toWellFormed())}`
    const isAddress = /^https?:\/\/./i.test(name.trim())
    const label = { 'rdfs:label': text(name.trim()) }
    return resource(isAddress ? name.trim() : own, 'dct:LicenseDocument', label)
  }
  const { code, label, type } = known
  return resource(`${authority}/licence/${code}`, 'dct:LicenseDocument', {
    'rdfs:label': text(label),
    'dct:type': resource(`http://purl.org/adms/licencetype/${type}`),
  })
}

type Standard = {
  /** Term in the vocabulary of mobilityDCAT-AP, if it has one. */
  readonly concept?: string
  readonly document: (version: string) => string
}

/** Definitions of the standards, by version. */
const standards = table<Standard>({
  'DATEX II': {
    concept: 'datex-II',
    document: (version) =>
      version.startsWith('3')
        ? 'http://datex2.eu/schema/3/d2Payload'
        : 'http://datex2.eu/schema/2/2_0',
  },
  GBFS: {
    concept: 'gbfs',
    document: (version) => `https://github.com/MobilityData/gbfs/blob/v${version}/gbfs.md`,
  },
  'OGC API Features': {
    document: (version) => `http://www.opengis.net/doc/IS/ogcapi-features-1/${version}`,
  },
})

export function standardOf(name: string): Standard | undefined {
  return standards.get(name)
}

const mobilityVocabulary = 'https://w3id.org/mobilitydcat-ap'

/** Returns a concept of a mobilityDCAT-AP vocabulary. */
export const concept = (vocabulary: string, name: string): Resource =>
  resource(`${mobilityVocabulary}/${vocabulary}/${name}`)
