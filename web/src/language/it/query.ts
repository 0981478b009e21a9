import type { QueryMessages } from '../en/query.ts'
import { wordsOf } from '../words.ts'

const { plural, number } = wordsOf('it')

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
  parameters: {
    begindate: 'Dal',
    enddate: 'Al',
    begin: 'Dal',
    end: 'Al',
    startdate: 'Dal',
    datefrom: 'Dal',
    dateto: 'Al',
    typefilter: 'Tipo di alloggio',
    categoryfilter: 'Categoria',
    boardfilter: 'Trattamento',
    featurefilter: 'Dotazioni',
    themefilter: 'Temi',
    badgefilter: 'Marchi di qualità',
    type: 'Tipo',
    activitytype: 'Attività',
    poitype: 'Punti di interesse',
    difficultyfilter: 'Difficoltà',
    altitudefilter: 'Altitudine',
    distancefilter: 'Lunghezza',
    durationfilter: 'Durata',
    highlight: 'Solo in evidenza',
    hasimage: 'Con immagini',
    topicfilter: 'Temi',
  },
  range: {
    from: 'Da',
    to: 'A',
  },
  units: {
    metre: 'm',
    kilometre: 'km',
    hour: 'h',
  },
}

function distance(metres: number): string {
  return metres < 1000
    ? `${number(Math.round(metres))} m`
    : `${number(Math.round(metres / 100) / 10)} km`
}
