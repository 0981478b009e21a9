import type { QueryMessages, ExpressionMessages } from '../en/query.ts'
import { wordsOf } from '../intl.ts'

const { date, number, plural } = wordsOf('de')

const operators: Readonly<Record<string, string>> = {
  and: 'alle gelten',
  or: 'eines gilt',
  not: 'gilt nicht',
  eq: 'gleich',
  ne: 'ungleich',
  neq: 'ungleich',
  gt: 'mehr als',
  ge: 'mindestens',
  gteq: 'mindestens',
  lt: 'weniger als',
  le: 'höchstens',
  lteq: 'höchstens',
  like: 'enthält den Text',
  likein: 'enthält einen der Texte oder Muster',
  in: 'einer der Werte',
  nin: 'keiner der Werte',
  isnull: 'fehlt',
  isnotnull: 'ist vorhanden',
  re: 'passt zum Muster',
  ire: 'passt, groß oder klein',
  nre: 'passt nicht',
  nire: 'passt nicht, groß oder klein',
  bbi: 'berührt das Rechteck',
  bbc: 'liegt im Rechteck',
  dlt: 'näher als so viele Meter',
}

const types = {
  text: 'Text',
  number: 'Zahl',
  boolean: 'ja oder nein',
  time: 'Zeit',
  object: 'Objekt',
  json: 'JSON',
  value: 'Wert',
  place: 'Ort',
  any: 'beliebig',
}

const comparisons = {
  is: 'ist',
  isNot: 'ist nicht',
  more: 'ist mehr als',
  atLeast: 'ist mindestens',
  less: 'ist weniger als',
  atMost: 'ist höchstens',
  contains: 'enthält',
  oneOf: 'ist eines von',
  noneOf: 'ist keines von',
  there: 'ist vorhanden',
  missing: 'fehlt',
}

/** What is said of conditions and expressions. */
export const expression: ExpressionMessages = {
  conditions: {
    larger: 'In größerem Fenster bearbeiten',
    title: 'Weitere Bedingungen',
    way: 'Wie Bedingungen entstehen',
    rows: 'Auswählen',
    text: 'Schreiben',
    label: (language) => `Ausdruck (${language})`,
  },
  builder: {
    choose: 'Feld wählen',
    noMember: 'So heißt kein Feld',
    values: 'Werte',
    addValue: 'Wert hinzufügen',
    zone: 'in Weltzeit (UTC)',
    yes: 'ja',
    no: 'nein',
    beyond: 'Dieser Ausdruck sagt mehr, als Zeilen zeigen können.',
    write: 'Als Text bearbeiten',
    join: 'Wie Bedingungen zusammen gelten',
    all: 'Alle gelten',
    any: 'Eine gilt',
    add: 'Bedingung hinzufügen',
    condition: (count) => `Bedingung ${number(count)}`,
    remove: (count) => `Bedingung ${number(count)} entfernen`,
    member: (count) => `Feld der Bedingung ${number(count)}`,
    value: (count) => `Wert der Bedingung ${number(count)}`,
    comparison: (count) => `Vergleich der Bedingung ${number(count)}`,
    comparisons,
    timeComparisons: {
      ...comparisons,
      is: 'ist am',
      isNot: 'ist nicht am',
      more: 'ist nach',
      atLeast: 'ist ab',
      less: 'ist vor',
      atMost: 'ist bis',
    },
  },
  completion: {
    operator: (name) => operators[name] ?? name,
    type: (type) => types[type],
    deprecated: ({ deprecated }) => {
      if (deprecated === null) return undefined
      const { since, removedAfter, replacement, description } = deprecated
      const instead = replacement === null ? description : `Stattdessen: ${replacement}.`
      return `Veraltet seit ${date(since)}, entfällt frühestens nach ${date(removedAfter)}. ${instead}`
    },
  },
  expression: {
    expected: 'Hier kann stehen:',
    expectedAt: (position) => `An Stelle ${number(position)} kann stehen:`,
    wrong: 'Das ist nicht lesbar',
    apply: 'Anwenden',
    discard: 'Änderungen verwerfen',
    examples: 'Beispiele',
    understoodAs: 'Verstanden als',
    fine: 'Der Hub versteht das. Mit Enter anwenden.',
    enterApplies: 'Enter wendet an. Strg und Leertaste schlagen vor, was passt.',
    placeholders: {
      rawfilter: "like(Detail.de.Title,'see')",
      where: 'sname.ire."bahnhof"',
      rawsort: '-LastChange,Shortname',
      select: 'scode,sname',
    },
    exampleNames: {
      activeAndHigh: 'Aktiv und mindestens auf 1200 m',
      titleContains: '„berg“ im Titel',
      changedLately: 'In den letzten 30 Tagen geändert',
      withPictures: 'Mit Bildern',
      withoutEnglish: 'Ohne englischen Titel',
      withTag: 'Mit einem bestimmten Schlagwort',
      activeStations: 'Aktive Stationen',
      large: 'Ab einer Größe oder Höhe',
      named: 'Namen, die mit b beginnen',
      near: 'Im Umkreis von 10 km um Bozen',
      ofOrigin: 'Aus einer Herkunft',
    },
  },
}

export const query: QueryMessages = {
  title: 'Filter',
  titleWith: (count) => `Filter (${number(count)})`,
  done: 'Fertig',
  show: 'Einträge zeigen',
  showFound: (count) => plural(count, { one: '# Eintrag zeigen', other: '# Einträge zeigen' }),
  found: (count) => plural(count, { one: '# Eintrag gefunden', other: '# Einträge gefunden' }),
  search: {
    label: 'Suche',
    records: 'Titel oder Kennung',
    stations: 'Name oder Code',
  },
  facets: {
    tags: 'Schlagwörter',
    languages: 'Sprachen',
    languagesHint: 'Einträge in allen davon',
    sources: 'Quellen',
    origins: 'Herkunft',
    licences: 'Lizenzen',
    dataTypes: 'Datentypen',
    dataTypesHint: 'Deren letzte Werte zu sehen sind',
    none: 'So heißt keiner',
    fewer: 'Weniger zeigen',
    searchIn: (title) => `Suchen in: ${title}`,
    all: (count) => `Alle ${number(count)} zeigen`,
  },
  tagMode: {
    label: 'Wie Schlagwörter zusammen gelten',
    any: 'Eines davon',
    all: 'Alle davon',
  },
  active: {
    label: 'Status',
    any: 'Alle',
    yes: 'Aktiv',
    no: 'Inaktiv',
  },
  chips: {
    none: 'Nichts gewählt: alle Einträge',
    title: 'Gewählte Filter',
    clear: 'Alle aufheben',
    search: 'Suche',
    tag: 'Schlagwort',
    language: 'Sprache',
    source: 'Quelle',
    licence: 'Lizenz',
    dataType: 'Datentyp',
    areaTitle: 'Gebiet',
    expression: 'Bedingung',
    area: (area) =>
      area.kind === 'circle'
        ? `Im Umkreis von ${distance(area.metres)}`
        : { box: 'Rechteck auf der Karte', polygon: 'Form auf der Karte' }[area.kind],
  },
  range: {
    from: 'Von',
    to: 'Bis',
  },
}

function distance(metres: number): string {
  return metres < 1000
    ? `${number(Math.round(metres))} m`
    : `${number(Math.round(metres / 100) / 10)} km`
}
