import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('en')

export const timeseries = {
  title: 'Time series',
  lead: 'What stations measure, over time: several series in one chart, in buckets that the hub makes.',
  chooser: {
    title: 'Choose series',
    type: 'Station type',
    everyType: 'All station types',
    series: 'Stations and data types',
    placeholder: 'Name, code or data type …',
    full: (most: number) => `At most ${number(most)} series fit into one chart. Remove one first.`,
  },
  none: {
    title: 'No series chosen',
    body: 'Search for a station or for what is measured, and choose one or several series. They are kept in the address, so you can send the chart to someone.',
  },
  missing: {
    title: 'Some series are missing',
    body: 'These series do not exist, or are not public. If they are yours, log in.',
    remove: 'Remove from the chart',
  },
  spans: {
    label: 'Time shown',
    short: { '1h': '1 h', '1d': '1 d', '1w': '1 w', '1mo': '1 mo', '1y': '1 y', all: 'All' },
  },
  move: {
    label: 'Move and zoom',
    earlier: 'Earlier',
    later: 'Later',
    closer: 'Zoom in',
    farther: 'Zoom out',
    follow: 'Follow',
    following: 'The chart follows the present.',
  },
  exact: {
    title: 'Exact times',
    from: 'From',
    to: 'To',
    show: 'Show',
    wrong: 'The end must be after the start.',
  },
  shown: {
    raw: 'values as measured',
    bucket: (length: string) => `averages over ${length}`,
    last: (length: string) => `the last value in ${length}`,
    /** How often, as `lengths` says how long. */
    everies: {
      m: (count: number) => plural(count, { one: 'every minute', other: 'every # minutes' }),
      h: (count: number) => plural(count, { one: 'every hour', other: 'every # hours' }),
      d: (count: number) => plural(count, { one: 'every day', other: 'every # days' }),
      w: (count: number) => plural(count, { one: 'every week', other: 'every # weeks' }),
      mo: (count: number) => plural(count, { one: 'every month', other: 'every # months' }),
      y: (count: number) => plural(count, { one: 'every year', other: 'every # years' }),
    },
    lengths: {
      m: (count: number) => plural(count, { one: '1 minute', other: '# minutes' }),
      h: (count: number) => plural(count, { one: '1 hour', other: '# hours' }),
      d: (count: number) => plural(count, { one: '1 day', other: '# days' }),
      w: (count: number) => plural(count, { one: '1 week', other: '# weeks' }),
      mo: (count: number) => plural(count, { one: '1 month', other: '# months' }),
      y: (count: number) => plural(count, { one: '1 year', other: '# years' }),
    },
    band: 'The pale band reaches from the least to the greatest value.',
    loading: 'Values are loading',
    ready: (count: number) =>
      plural(count, { one: '# value is shown', other: '# values are shown' }),
  },
  chart: {
    label: 'Chart. Arrow keys step through the values.',
    noValue: 'no value here',
    unitless: 'number',
    now: 'now',
    limit: (days: number) => plural(days, { one: '# day', other: '# days' }),
    range: (low: string, high: string) => `${low} to ${high}`,
    hint: 'Drag to zoom in, double-click to zoom out. Shift and drag moves, Ctrl and wheel zooms.',
    touchHint: 'Slide with one finger to move, pinch with two to zoom.',
    keys: 'Keyboard shortcuts',
    keyList: [
      { key: '← →', meaning: 'previous or next value' },
      { key: 'Page ↑ ↓', meaning: 'ten values back or on' },
      { key: 'Home End', meaning: 'first or last value shown' },
      { key: '+ −', meaning: 'zoom in, zoom out' },
      { key: 'Shift ← →', meaning: 'move earlier or later' },
      { key: 'Esc', meaning: 'hide the cursor' },
    ],
  },
  legend: {
    title: 'Series',
    latest: 'Latest value',
    none: 'no value yet',
    show: (name: string) => `Show ${name}`,
    hide: (name: string) => `Hide ${name}`,
    remove: (name: string) => `Remove ${name}`,
    states: { fresh: 'fresh', late: 'late', stale: 'stale', silent: 'silent' },
    noAxis:
      'Not drawn: a chart has two scales, and this unit would be the third. Hide a series of another unit.',
    details: 'Data quality',
  },
  health: {
    every: (often: string) => `A value is due ${often}, as declared.`,
    usually: (often: string) => `A value usually comes ${often}.`,
    unknown: 'How often values come is not known, so they are not connected.',
    coverage: (share: string) =>
      `${share} of the expected values of the last 7 days are available.`,
    noGaps: 'No gaps in the last 7 days.',
    gaps: (gaps: number, missing: number, longest: string) =>
      `${plural(gaps, { one: '# gap', other: '# gaps' })} in the last 7 days, ${plural(missing, { one: '# value is missing', other: '# values are missing' })}; the longest gap lasted ${longest}.`,
    stuck: (count: number, since: string) =>
      `The last ${number(count)} values are the same, since ${since}. Perhaps the sensor is stuck.`,
    future: (until: string) => `Values reach into the future, until ${until}.`,
  },
  limit: {
    title: (days: number) =>
      `Fine steps for ${plural(days, { one: '# day', other: '# days' })} at once`,
    body: 'Longer times are shown by the day. Nothing is missing: zoom in on any part, also left of the line, to see it in fine steps.',
    logIn: 'Log in for more',
    closer: 'Show the newest part',
  },
  empty: {
    title: 'No values in this time',
    body: 'The series exist, but nothing was measured between these two moments.',
    newest: (when: string) => `The newest value is from ${when}.`,
    show: 'Show the newest values',
    all: 'Show everything',
  },
  view: { label: 'View', chart: 'Chart', table: 'Table', map: 'Map' },
  table: {
    caption: 'Values of the chart',
    time: 'Time',
    page: (from: number, to: number, all: number) =>
      `Rows ${number(from)} to ${number(to)} of ${number(all)}`,
    previous: 'Previous rows',
    next: 'Next rows',
    copy: 'Copy as CSV',
    average: 'average',
    least: 'least',
    greatest: 'greatest',
  },
  texts: { title: 'States', nothing: 'No values in this time.' },
  json: {
    title: 'Structured values',
    more: (count: number) => `The last ${number(count)} are shown.`,
  },
  export: {
    label: 'Export what is shown',
    title: 'Export',
    working: 'The file is being created',
    failed: 'The file could not be created. Try again, or choose less time.',
  },
  requests: { label: 'Request', nth: (index: number) => `Request ${number(index)}` },
}

export type TimeseriesMessages = typeof timeseries
