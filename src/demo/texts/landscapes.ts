import type { Phrase, WidePhrase } from './phrase.ts'

/** Regions, municipalities, associations, districts, areas and ski areas. {name}, {region}, {altitude}. */

export const placeTexts: readonly Phrase[] = [
  {
    de: '{name} liegt auf {altitude} Metern; wer hier ankommt, hört zuerst die Kirchenglocken.',
    it: '{name} si trova a {altitude} metri; chi arriva sente prima di tutto le campane.',
    en: '{name} lies at {altitude} metres, and whoever arrives first hears the church bells.',
  },
  {
    de: 'Obstbau, Handwerk und Gäste prägen {name} seit mehr als hundert Jahren.',
    it: 'Frutticoltura, artigianato e turismo segnano {name} da oltre cent’anni.',
    en: 'Orchards, crafts and guests have shaped {name} for more than a hundred years.',
  },
  {
    de: 'Enge Gassen, weite Felder: In {name} ist beides zehn Minuten voneinander entfernt.',
    it: 'Vicoli stretti e campi aperti: a {name} sono a dieci minuti l’uno dall’altro.',
    en: 'Narrow lanes, wide fields: in {name} they are ten minutes apart.',
  },
  {
    de: 'Drei Sprachen, zwei Jahreszeiten und ein Markt am Samstag: das ist {name}.',
    it: 'Tre lingue, due stagioni e un mercato al sabato: questo è {name}.',
    en: 'Three languages, two seasons and a market on Saturday: that is {name}.',
  },
]

export const surroundings: readonly Phrase[] = [
  {
    de: 'Rundherum zieht sich ein Netz von Wegen bis hinauf in die Almen.',
    it: 'Tutt’intorno una rete di sentieri sale fino alle malghe.',
    en: 'All around, a web of paths climbs to the alps.',
  },
  {
    de: 'Der Bach, der dem Tal den Namen gab, treibt heute noch zwei Mühlen.',
    it: 'Il torrente che ha dato il nome alla valle muove ancora due mulini.',
    en: 'The stream that named the valley still drives two mills.',
  },
  {
    de: 'Im Frühling blühen die Wiesen, im Winter wird gerodelt.',
    it: 'In primavera fioriscono i prati, d’inverno si va in slittino.',
    en: 'Meadows bloom in spring, and in winter people go sledging.',
  },
]

export const skiTexts: readonly Phrase[] = [
  {
    de: '{name} bietet breite Pisten bis auf {top} Meter und kurze Wege zum Lift.',
    it: '{name} offre piste larghe fino a {top} metri e impianti vicini.',
    en: '{name} has wide slopes up to {top} metres and short ways to the lift.',
  },
  {
    de: 'Familien, Genießer und Frühaufsteher finden in {name} ihren Hang.',
    it: 'Famiglie, buongustai e mattinieri trovano a {name} la loro pista.',
    en: 'Families, gourmets and early risers all find their slope at {name}.',
  },
]

export const associationNames: readonly Phrase[] = [
  { de: 'Tourismusverein {name}', it: 'Associazione turistica {name}', en: '{name} Tourist Board' },
]

export const skiRegionNames: readonly Phrase[] = [
  { de: 'Skiregion Westen', it: 'Regione sciistica Ovest', en: 'Western Ski Region' },
  { de: 'Skiregion Mitte', it: 'Regione sciistica Centro', en: 'Central Ski Region' },
  { de: 'Skiregion Norden', it: 'Regione sciistica Nord', en: 'Northern Ski Region' },
  { de: 'Skiregion Osten', it: 'Regione sciistica Est', en: 'Eastern Ski Region' },
]

export const shorts: readonly WidePhrase[] = [
  {
    de: '{name} – Urlaub zwischen Tal und Gipfel.',
    it: '{name}: vacanze tra valle e vetta.',
    en: '{name} – holidays between valley and summit.',
    nl: '{name} – vakantie tussen dal en top.',
    cs: '{name} – dovolená mezi údolím a vrcholem.',
    pl: '{name} – urlop między doliną a szczytem.',
    fr: '{name} – des vacances entre vallée et sommet.',
    ru: '{name} – отдых между долиной и вершиной.',
  },
]

export const skiAreaName: Phrase = {
  de: 'Skigebiet {place}',
  it: 'Area sciistica {place}',
  en: '{place} Ski Area',
}

export const snowStationName: Phrase = {
  de: 'Messpunkt {place} {number}',
  it: 'Punto di misura {place} {number}',
  en: '{place} snow station {number}',
}

/** Regions of regions, with the regions that belong to them. */
export const metaRegionNames = [
  { name: { de: 'Der Westen', it: 'L’Ovest', en: 'The West' }, regions: ['vinschgau', 'meran'] },
  {
    name: { de: 'Die Mitte', it: 'Il Centro', en: 'The Centre' },
    regions: ['bozen', 'weinstrasse', 'schlern'],
  },
  {
    name: { de: 'Der Norden und Osten', it: 'Il Nord e l’Est', en: 'The North and East' },
    regions: ['eisacktal', 'wipptal', 'pustertal', 'gadertal'],
  },
] as const

/** Areas that visitors know by a name of their own. */
export const experienceAreaNames: readonly Phrase[] = [
  { de: 'Apfelland', it: 'Terra delle mele', en: 'Apple Country' },
  { de: 'Weinland', it: 'Terra del vino', en: 'Wine Country' },
  { de: 'Bergland', it: 'Terra delle montagne', en: 'Mountain Country' },
  { de: 'Waldland', it: 'Terra dei boschi', en: 'Forest Country' },
]
