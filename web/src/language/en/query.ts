import { wordsOf } from '../words.ts'

const { plural, number } = wordsOf('en')

type Area =
  { readonly kind: 'box' | 'polygon' } | { readonly kind: 'circle'; readonly metres: number }

export const query = {
  title: 'Filters',
  titleWith: (count: number) => `Filters (${number(count)})`,
  done: 'Done',
  show: 'Show records',
  showFound: (count: number) => plural(count, { one: 'Show # record', other: 'Show # records' }),
  found: (count: number) => plural(count, { one: '# record found', other: '# records found' }),
  search: {
    label: 'Search',
    records: 'Title or id',
    stations: 'Name or code',
  },
  facets: {
    tags: 'Tags',
    languages: 'Languages',
    languagesHint: 'Records in all of these',
    sources: 'Sources',
    origins: 'Origins',
    licences: 'Licences',
    dataTypes: 'Data types',
    dataTypesHint: 'Whose latest values are shown',
    none: 'No match',
    fewer: 'Show fewer',
    searchIn: (title: string) => `Search in ${title}`,
    all: (count: number) => `Show all ${number(count)}`,
  },
  tagMode: {
    label: 'How tags are combined',
    any: 'Any of them',
    all: 'All of them',
  },
  active: {
    label: 'Status',
    any: 'All',
    yes: 'Active',
    no: 'Inactive',
  },
  chips: {
    none: 'Nothing chosen: all records',
    title: 'Chosen filters',
    clear: 'Clear all',
    search: 'Search',
    tag: 'Tag',
    language: 'Language',
    source: 'Source',
    licence: 'Licence',
    dataType: 'Data type',
    areaTitle: 'Area',
    expression: 'Condition',
    area: (area: Area) =>
      area.kind === 'circle'
        ? `Within ${distance(area.metres)}`
        : { box: 'Rectangle on the map', polygon: 'Shape on the map' }[area.kind],
  },
  parameters: {
    begindate: 'From',
    enddate: 'Until',
    begin: 'From',
    end: 'Until',
    startdate: 'From',
    datefrom: 'From',
    dateto: 'Until',
    typefilter: 'Type of lodging',
    categoryfilter: 'Category',
    boardfilter: 'Board',
    featurefilter: 'Features',
    themefilter: 'Themes',
    badgefilter: 'Quality labels',
    type: 'Kind',
    activitytype: 'Activities',
    poitype: 'Points of interest',
    difficultyfilter: 'Difficulty',
    altitudefilter: 'Altitude',
    distancefilter: 'Length',
    durationfilter: 'Duration',
    highlight: 'Highlights only',
    hasimage: 'With pictures',
    topicfilter: 'Topics',
  },
  range: {
    from: 'From',
    to: 'To',
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

export type QueryMessages = typeof query
