import type { QueryMessages, ExpressionMessages } from '../en/query.ts'
import { wordsOf } from '../intl.ts'

const { date, number, plural } = wordsOf('it')

const operators: Readonly<Record<string, string>> = {
  and: 'valgono tutte',
  or: 'ne vale una',
  not: 'non vale',
  eq: 'uguale',
  ne: 'diverso',
  neq: 'diverso',
  gt: 'più di',
  ge: 'almeno',
  gteq: 'almeno',
  lt: 'meno di',
  le: 'al massimo',
  lteq: 'al massimo',
  like: 'contiene il testo',
  likein: 'contiene uno dei testi o modelli',
  in: 'uno dei valori',
  nin: 'nessuno dei valori',
  isnull: 'manca',
  isnotnull: 'è presente',
  re: 'corrisponde al modello',
  ire: 'corrisponde, maiuscole o minuscole',
  nre: 'non corrisponde',
  nire: 'non corrisponde, maiuscole o minuscole',
  bbi: 'tocca il rettangolo',
  bbc: 'sta nel rettangolo',
  dlt: 'più vicino di tanti metri',
}

const types = {
  text: 'testo',
  number: 'numero',
  boolean: 'sì o no',
  time: 'data e ora',
  object: 'oggetto',
  json: 'JSON',
  value: 'valore',
  place: 'luogo',
  any: 'qualsiasi',
}

const comparisons = {
  is: 'è',
  isNot: 'non è',
  more: 'è più di',
  atLeast: 'è almeno',
  less: 'è meno di',
  atMost: 'è al massimo',
  contains: 'contiene',
  oneOf: 'è uno di',
  noneOf: 'non è tra',
  there: 'è presente',
  missing: 'manca',
}

/** What is said of conditions and expressions. */
export const expression: ExpressionMessages = {
  conditions: {
    larger: 'Modifica in una finestra più grande',
    title: 'Altre condizioni',
    way: 'Come si compongono le condizioni',
    rows: 'Scegliere',
    text: 'Scrivere',
    label: (language) => `Espressione (${language})`,
  },
  builder: {
    choose: 'Scegli un campo',
    noMember: 'Nessun campo si chiama così',
    values: 'Valori',
    addValue: 'Aggiungi un valore',
    zone: 'in ora universale (UTC)',
    yes: 'sì',
    no: 'no',
    beyond: 'Questa espressione dice più di quanto le righe possano mostrare.',
    write: 'Modificala come testo',
    join: 'Come valgono insieme le condizioni',
    all: 'Valgono tutte',
    any: 'Ne vale una',
    add: 'Aggiungi una condizione',
    condition: (count) => `Condizione ${number(count)}`,
    remove: (count) => `Togli la condizione ${number(count)}`,
    member: (count) => `Campo della condizione ${number(count)}`,
    value: (count) => `Valore della condizione ${number(count)}`,
    comparison: (count) => `Confronto della condizione ${number(count)}`,
    comparisons,
    timeComparisons: {
      ...comparisons,
      is: 'è il',
      isNot: 'non è il',
      more: 'è dopo il',
      atLeast: 'è dal',
      less: 'è prima del',
      atMost: 'è fino al',
    },
  },
  completion: {
    operator: (name) => operators[name] ?? name,
    type: (type) => types[type],
    deprecated: ({ deprecated }) => {
      if (deprecated === null) return undefined
      const { since, removedAfter, replacement, description } = deprecated
      const instead = replacement === null ? description : `Usa ${replacement}.`
      return `Deprecato dal ${date(since)}, può sparire dopo il ${date(removedAfter)}. ${instead}`
    },
  },
  expression: {
    expected: 'Qui può stare:',
    expectedAt: (position) => `Al carattere ${number(position)} può stare:`,
    wrong: 'Non si può leggere',
    apply: 'Applica',
    discard: 'Annulla le modifiche',
    examples: 'Esempi',
    understoodAs: 'Inteso come',
    fine: 'L’hub lo capisce. Invio lo applica.',
    enterApplies: 'Invio lo applica. Ctrl e spazio propongono ciò che è possibile.',
    placeholders: {
      rawfilter: "like(Detail.it.Title,'lago')",
      where: 'sname.ire."stazione"',
      rawsort: '-LastChange,Shortname',
      select: 'scode,sname',
    },
    exampleNames: {
      activeAndHigh: 'Attivi e almeno a 1200 m',
      titleContains: '“berg” nel titolo',
      changedLately: 'Cambiati negli ultimi 30 giorni',
      withPictures: 'Con immagini',
      withoutEnglish: 'Senza titolo inglese',
      withTag: 'Con un certo tag',
      activeStations: 'Stazioni attive',
      large: 'Da una grandezza o altitudine in su',
      named: 'Nomi che iniziano con b',
      near: 'Entro 10 km da Bolzano',
      ofOrigin: 'Di una sola origine',
    },
  },
}

export const query: QueryMessages = {
  title: 'Filtri',
  titleWith: (count) => `Filtri (${number(count)})`,
  done: 'Fatto',
  show: 'Mostra le schede',
  showFound: (count) => plural(count, { one: 'Mostra # scheda', other: 'Mostra # schede' }),
  found: (count) => plural(count, { one: '# scheda trovata', other: '# schede trovate' }),
  search: {
    label: 'Ricerca',
    records: 'Titolo o identificativo',
    stations: 'Nome o codice',
  },
  facets: {
    tags: 'Tag',
    languages: 'Lingue',
    languagesHint: 'Schede in tutte queste',
    sources: 'Fonti',
    origins: 'Origini',
    licences: 'Licenze',
    dataTypes: 'Tipi di dati',
    dataTypesHint: 'Di cui si vedono gli ultimi valori',
    none: 'Nessuno si chiama così',
    fewer: 'Mostra meno',
    searchIn: (title) => `Cerca in: ${title}`,
    all: (count) => `Mostra tutti e ${number(count)}`,
  },
  tagMode: {
    label: 'Come valgono insieme i tag',
    any: 'Uno di essi',
    all: 'Tutti',
  },
  active: {
    label: 'Stato',
    any: 'Tutti',
    yes: 'Attivi',
    no: 'Non attivi',
  },
  chips: {
    none: 'Niente scelto: tutte le schede',
    title: 'Filtri scelti',
    clear: 'Togli tutti',
    search: 'Ricerca',
    tag: 'Tag',
    language: 'Lingua',
    source: 'Fonte',
    licence: 'Licenza',
    dataType: 'Tipo di dati',
    areaTitle: 'Area',
    expression: 'Condizione',
    area: (area) =>
      area.kind === 'circle'
        ? `Entro ${distance(area.metres)}`
        : { box: 'Rettangolo sulla mappa', polygon: 'Forma sulla mappa' }[area.kind],
  },
  range: {
    from: 'Da',
    to: 'A',
  },
}

function distance(metres: number): string {
  return metres < 1000
    ? `${number(Math.round(metres))} m`
    : `${number(Math.round(metres / 100) / 10)} km`
}
