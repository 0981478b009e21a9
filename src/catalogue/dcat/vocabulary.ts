/** Prefixes of the names that DCAT-AP 3 uses. */
export const context = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
} as const

const authority = 'http://publications.europa.eu/resource/authority'

/** Controlled vocabularies of the Publications Office, which DCAT-AP asks for. */
const languages: Readonly<Record<string, string>> = {
  ...{ de: 'DEU', it: 'ITA', en: 'ENG', fr: 'FRA', nl: 'NLD', cs: 'CES', pl: 'POL', ru: 'RUS' },
  ...{ es: 'SPA', sl: 'SLV', hu: 'HUN', ro: 'RON', sk: 'SLK', hr: 'HRV', pt: 'POR', sv: 'SWE' },
}

export function languageOf(code: string): string | undefined {
  const known = languages[code]
  return known === undefined ? undefined : `${authority}/language/${known}`
}

const themes: Readonly<Record<string, string>> = {
  tourism: 'ECON',
  mobility: 'TRAN',
  weather: 'ENVI',
  other: 'REGI',
}

export function themeOf(dataspace: string): string {
  return `${authority}/data-theme/${themes[dataspace] ?? 'REGI'}`
}

const fileTypes: Readonly<Record<string, string>> = {
  json: 'JSON',
  csv: 'CSV',
  geojson: 'GEOJSON',
  datex2: 'XML',
}

export function fileTypeOf(format: string): string | undefined {
  const known = fileTypes[format]
  return known === undefined ? undefined : `${authority}/file-type/${known}`
}

export const accessRights = {
  open: `${authority}/access-right/PUBLIC`,
  // Most of it is open to everybody; the rest comes with a token.
  partly: `${authority}/access-right/PUBLIC`,
  closed: `${authority}/access-right/RESTRICTED`,
} as const

const licences: Readonly<Record<string, string>> = {
  cc0: 'CC0',
  'cc0-1.0': 'CC0',
  'cc-by': 'CC_BY',
  'cc-by-4.0': 'CC_BY_4_0',
  'cc-by-sa-4.0': 'CC_BYSA_4_0',
}

export function licenceOf(name: string): string | undefined {
  const known = licences[name.toLowerCase().replaceAll(' ', '-')]
  return known === undefined ? undefined : `${authority}/licence/${known}`
}

export function mediaTypeOf(name: string): string {
  return `https://www.iana.org/assignments/media-types/${name}`
}
