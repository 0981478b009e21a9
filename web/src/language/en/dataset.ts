import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('en')
const records = { one: '# record', other: '# records' }
const stations = { one: '# station', other: '# stations' }

export const dataset = {
  catalogue: 'Catalogue',
  services: {
    stations: 'Stations',
    latest: 'Latest values',
  },
  count: (count: number, isContent: boolean) => plural(count, isContent ? records : stations),
  changed: 'changed',
  filters: 'Filters',
  panes: { label: 'What is shown', table: 'Table', map: 'Map', raw: 'Raw' },
  resize: (left: string, right: string) => `Width of ${left} and ${right}`,
  texts: 'Language of the texts',
  textsHere: (language: string) => `as the page: ${language}`,
  withheld: {
    body: 'Some records or fields are not public. Log in to see what your account may see.',
    short: 'Partly not public',
  },
  table: {
    label: (name: string) => `${name}, table`,
    help: 'Arrow keys go from cell to cell, Control with Home and End to the first and last row. Enter follows the link of a row, the space bar chooses it. In the head, Enter sorts and Shift with the arrows changes the width.',
    loadingRow: 'Loading',
    yes: 'yes',
    no: 'no',
    old: 'old value',
    more: (count: number) => `and ${number(count)} more`,
    position: (first: number, last: number, total: number) =>
      `${number(first)}–${number(last)} of ${number(total)}`,
    deprecatedUntil: (date: string) => `Deprecated; served until ${date} at least`,
    seriesOf: (name: string) => `Values of ${name} over time`,
  },
  empty: {
    title: 'Nothing matches',
    body: 'No record matches all filters together. Remove one, or start again.',
    clear: 'Remove all filters',
  },
  columns: {
    button: 'Columns',
    title: 'Columns',
    chosen: 'Shown, in this order',
    all: 'All fields',
    search: 'Search for a field',
    found: (count: number) => plural(count, { one: '# field', other: '# fields' }),
    up: (name: string) => `Move ${name} forward`,
    down: (name: string) => `Move ${name} back`,
    remove: (name: string) => `Hide ${name}`,
    usual: 'Default columns',
    done: 'Done',
    more: (count: number) => `${number(count)} more: search to find them`,
    takesToken: 'only with a login',
    deprecated: (since: string, until: string) =>
      `Deprecated since ${since}, served until ${until} at least.`,
    replacement: 'Use instead:',
    latest: 'latest value',
    tooMany: (most: number) => `At most ${number(most)} columns at a time.`,
  },
  raw: {
    label: 'JSON as the hub sends it',
    page: 'Page',
    record: 'Record',
    what: 'What is shown',
    pageOf: (first: number, last: number) => `Records ${number(first)}–${number(last)}`,
    members: (count: number) => plural(count, { one: '# field', other: '# fields' }),
    items: (count: number) => plural(count, { one: '# item', other: '# items' }),
    showMore: (count: number) => `Show ${number(count)} more`,
  },
  map: { loading: 'The map is loading', area: 'Area on the map' },
  export: {
    button: 'Export',
    title: 'Export',
    format: 'Format',
    records: 'Records',
    these: (count: string) => `${count} that match`,
    all: 'All of the dataset',
    members: 'Fields',
    shown: (count: number) =>
      plural(count, { one: 'the shown column', other: 'the # shown columns' }),
    allMembers: 'all fields',
    request: 'Request',
    begin: 'Download',
    cancel: 'Cancel',
    again: 'Try again',
    close: 'Close',
    running: 'Downloading',
    progress: (bytes: string, count: string | undefined) =>
      count === undefined ? bytes : `${bytes}, ${count}`,
    of: (done: number, total: number) =>
      `${number(done)} of ${plural(total, { one: '# record', other: '# records' })}`,
    done: (name: string, bytes: string) => `${name} was downloaded: ${bytes}.`,
    cancelled: 'Stopped. The part that had arrived was discarded.',
    broken: {
      title: 'The download was interrupted',
      body: 'The file was incomplete, so it was discarded. Try again.',
    },
    disk: {
      title: 'The file could not be written',
      body: 'Check that there is free space, and that you may write there.',
    },
    noFields: 'This format always has all fields.',
    latestToo: 'Stations and their metadata. For values over time, open the time series.',
    formats: {
      json: 'JSON',
      csv: 'CSV, for spreadsheets',
      excel: 'CSV for Excel',
      ndjson: 'NDJSON, a record a line',
      geojson: 'GeoJSON, for maps',
      'json-ld': 'JSON-LD (schema.org)',
      rawdata: 'Raw, as the source sent it',
      arrow: 'Arrow, for programs that compute',
      parquet: 'Parquet, for archives and analysis',
    },
  },
}

export type DatasetMessages = typeof dataset
