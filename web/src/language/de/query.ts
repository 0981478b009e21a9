import type { QueryMessages } from '../en/query.ts'
import { wordsOf } from '../words.ts'

const { plural, number } = wordsOf('de')

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
  parameters: {
    begindate: 'Ab',
    enddate: 'Bis',
    begin: 'Ab',
    end: 'Bis',
    startdate: 'Ab',
    datefrom: 'Ab',
    dateto: 'Bis',
    typefilter: 'Art der Unterkunft',
    categoryfilter: 'Kategorie',
    boardfilter: 'Verpflegung',
    featurefilter: 'Ausstattung',
    themefilter: 'Themen',
    badgefilter: 'Gütezeichen',
    type: 'Art',
    activitytype: 'Aktivitäten',
    poitype: 'Sehenswertes und Dienste',
    difficultyfilter: 'Schwierigkeit',
    altitudefilter: 'Höhe',
    distancefilter: 'Länge',
    durationfilter: 'Dauer',
    highlight: 'Nur Höhepunkte',
    hasimage: 'Mit Bildern',
    topicfilter: 'Themen',
  },
  range: {
    from: 'Von',
    to: 'Bis',
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
