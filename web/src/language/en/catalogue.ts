import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('en')

export const catalogue = {
  title: 'Catalogue',
  lead: (datasets: number, records: number, stations: number, events: number) =>
    `${number(datasets)} open datasets of the region: ${number(records)} records, ${number(stations)} measuring stations, ${number(events)} traffic events. No account needed.`,
  search: 'Search datasets, records and stations',
  searchExample: 'parking, hotels, NO2 …',
  found: (found: number, all: number) =>
    found === all
      ? plural(all, { one: '# dataset', other: '# datasets' })
      : `${number(found)} of ${plural(all, { one: '# dataset', other: '# datasets' })}`,
  results: 'Datasets',
  sort: 'Order',
  sorts: {
    fitting: 'Best match first',
    title: 'Title',
    changed: 'Newest change',
    count: 'Most records',
  },
  filters: 'Filters',
  showFilters: (chosen: number) => (chosen === 0 ? 'Filters' : `Filters (${number(chosen)})`),
  clear: 'Clear search and filters',
  more: (hidden: number) => `${number(hidden)} more`,
  fewer: 'Fewer',
  facets: {
    service: 'Service',
    topic: 'Topic',
    changed: 'Last change',
    access: 'Access',
    licence: 'Licence',
    source: 'Source',
    tag: 'Tag',
  },
  services: { content: 'Content', timeseries: 'Time series', traffic: 'Traffic' },
  serviceLines: {
    content: 'Records in several languages: places, events, houses, weather reports.',
    timeseries: 'Stations and what they measure, now and in the past.',
    traffic: 'What happens on the roads, as it is reported.',
  },
  topics: {
    tourism: 'Tourism',
    mobility: 'Mobility',
    weather: 'Weather',
    other: 'Everything else',
  },
  accesses: { open: 'Open', partly: 'Partly open', closed: 'Login required' },
  changes: {
    hour: 'Within an hour',
    day: 'Within a day',
    week: 'Within a week',
    older: 'Longer ago',
    unknown: 'Unknown',
  },
  notStated: 'Not stated',
  counts: {
    content: (count: number) => plural(count, { one: '# record', other: '# records' }),
    timeseries: (count: number) => plural(count, { one: '# station', other: '# stations' }),
    traffic: (count: number) => plural(count, { one: '# event', other: '# events' }),
  },
  countHidden: 'Shown after login',
  card: {
    size: 'Size',
    changed: 'Changed',
    measured: 'Last value',
    neverMeasured: 'No values yet',
    licence: 'Licence',
    access: 'Access',
    formats: 'Formats',
    state: 'State',
    measures: 'Measures',
    request: 'Request',
    requestOf: (title: string) => `Request for ${title}`,
  },
  states: { fresh: 'fresh', late: 'late', stale: 'stale', silent: 'silent' },
  seriesFresh: (fresh: number, all: number) => `${number(fresh)} of ${number(all)} series fresh`,
  close: 'Did you mean',
  inData: {
    title: 'In the data',
    records: (total: number) => `Records (${number(total)})`,
    stations: 'Stations',
  },
  nothing: {
    title: 'No dataset matches',
    body: (text: string) =>
      text === ''
        ? 'No dataset matches all filters. Remove a filter.'
        : `No title or description has “${text}”. Try a shorter or another word, or remove a filter.`,
  },
  none: {
    title: 'The hub is empty',
    body: 'No data has arrived yet, or all of it takes a login.',
  },
}

export type CatalogueMessages = typeof catalogue
