import { wordsOf } from '../intl.ts'

const { plural, number } = wordsOf('en')

type Reader = {
  readonly title: string
  readonly body: string
  readonly steps: readonly {
    readonly href: string
    readonly label: string
    readonly note: string
  }[]
  /** Pages of the guide. */
  readonly pages: readonly string[]
}

const readers: Readonly<Record<'find' | 'build' | 'provide', Reader>> = {
  find: {
    title: 'Find data',
    body: 'Everything here is open unless it says otherwise. You need no account and no key.',
    steps: [
      {
        href: '/',
        label: 'Look through the catalogue',
        note: 'and open what interests you: as a table, on a map, as a chart.',
      },
      {
        href: '/docs/content-formats',
        label: 'Take it with you',
        note: 'as CSV for a spreadsheet, GeoJSON for a map, Parquet for an analysis.',
      },
      {
        href: '/docs/content-search',
        label: 'Search everything at once',
        note: 'for a word, in any language.',
      },
    ],
    pages: ['content-queries', 'time-series', 'traffic-feed', 'content-metadata'],
  },
  build: {
    title: 'Build an app',
    body: 'Build the query here in the page; the bar at the foot of every view shows the request that makes it, for the shell, JavaScript and Python.',
    steps: [
      {
        href: '/docs/first-hour',
        label: 'Spend the first hour',
        note: 'with the requests that people need most.',
      },
      {
        href: '/docs/api',
        label: 'Look up any address',
        note: 'with its parameters and errors, and try it.',
      },
      {
        href: '/docs/quotas',
        label: 'Know your limits',
        note: 'and how a token raises them.',
      },
    ],
    pages: ['content-queries', 'time-series', 'token-service', 'content-deprecations'],
  },
  provide: {
    title: 'Provide data',
    body: 'Send what you have in the form it has. A mapping makes records of it that everybody can read.',
    steps: [
      { href: '/docs/push', label: 'Send a message', note: 'and follow what becomes of it.' },
      {
        href: '/docs/push-formats',
        label: 'Use a form the hub knows',
        note: 'for content, stations, values and events,',
      },
      {
        href: '/docs/push-mappings-guide',
        label: 'or write a mapping',
        note: 'for your own, command by command.',
      },
    ],
    pages: ['push-mappings', 'content-writes', 'closed-data', 'access'],
  },
}

export const docs = {
  title: 'Docs',
  lead: 'What the hub can do, with examples that run: where you stand decides where you begin.',
  start: 'Where to begin',
  pages: 'Pages',
  groups: {
    find: 'Reading data',
    build: 'Building with it',
    provide: 'Providing data',
    run: 'Running a hub',
    project: 'The project',
  },
  reference: 'Reference',
  readers,
  more: 'Read on:',
  search: 'Search the guide',
  found: (count: number) => plural(count, { one: '# place found', other: '# places found' }),
  foundNothing: 'Nothing in the guide.',
  searchApi: (text: string) => `Search the API reference for “${text}”`,
  inEnglish: 'The guide is in English.',
  onThisPage: 'On this page',
  around: 'Pages before and after',
  before: 'Before',
  after: 'Next',
  anchor: (title: string) => `Link to “${title}”`,
  example: 'Example',
  untried: (why: string) => `Not run by our tests: ${why}.`,
  noPage: {
    title: 'No such page',
    body: 'The guide has no page of this name. Choose one from the list, or search.',
  },
  run: {
    run: 'Run',
    runThis: (path: string) => `Run ${path}`,
    running: 'Running …',
    answer: 'Answer',
    failed: 'No answer',
    noAnswer: 'The hub cannot be reached. Check your connection and run it again.',
    took: (milliseconds: number) => `${number(milliseconds)} ms`,
    broken: 'The answer was interrupted here. Run the request again.',
    lines: (count: number) => plural(count, { one: '# line', other: '# lines' }),
    cut: 'The beginning of a long answer.',
    more: 'Show more',
    less: 'Show less',
    headers: (count: string) => `Headers (${count})`,
  },
  api: {
    title: 'API reference',
    lead: 'Every address of this hub, as it describes itself.',
    search: 'Search',
    searchHint: 'Address, name or word',
    tag: 'Service',
    allTags: 'All',
    method: 'Method',
    allMethods: 'All',
    count: (count: number) => plural(count, { one: '# operation', other: '# operations' }),
    document: 'OpenAPI document',
    none: 'No operation matches. Search for something else.',
    deprecated: 'Deprecated',
    noOperation: {
      title: 'No such operation',
      body: 'This hub has no operation of this name. Search the reference.',
    },
    token: {
      none: 'No token needed; a token may show more.',
      needed: 'Needs a token.',
      never: 'No token.',
    },
    parameters: 'Parameters',
    noParameters: 'It takes no parameters.',
    inPath: 'in the path',
    required: 'required',
    byDefault: 'Default',
    allowed: 'Allowed',
    also: 'Also called',
    example: 'Example',
    body: 'Body',
    responses: 'Answers',
    errors: 'Errors',
    errorsLead: 'Errors are problem details; each code has a page that says what to do.',
    schema: 'Form of the answer',
    model: 'Form',
    formats: 'Formats',
    code: 'Code',
    codeForm: 'Language of the code',
    tryIt: 'Try it',
    try: 'Send',
    trying: 'Waiting …',
    tryHint: 'The request goes to this hub, with your token if you are logged in.',
    missing: (names: string) => `Missing: ${names}.`,
    notTried: 'This operation changes data, so it cannot be tried here. Use the code.',
    reset: 'Clear the form',
    absent: 'not set',
    accept: 'Format',
    others: 'More parameters',
    between: (least: string, most: string) => `${least} to ${most}`,
    atLeast: (least: string) => `at least ${least}`,
    atMost: (most: string) => `at most ${most}`,
    since: (when: string) => `deprecated since ${when}`,
    until: (when: string) => `may go after ${when}`,
    anyKey: 'any name',
    oneOf: 'one of',
  },
  errors: {
    title: 'Errors',
    lead: 'Every code that an answer can have: what happened, and what to do. A code never changes its meaning.',
    search: 'Search',
    searchHint: 'Code or word',
    code: 'Code',
    status: 'Status',
    phases: {
      RTE: 'Finding the address',
      QRY: 'Reading the request',
      BDY: 'Reading the body',
      GEO: 'Converting files',
      ACC: 'Access',
      QTA: 'Quotas',
      SRV: 'The hub itself',
      WEB: 'The Explorer',
    },
    none: 'No code matches.',
    what: 'What happened and what to do',
    noCode: {
      title: 'No such error',
      body: 'No error has this code. The list has all of them.',
    },
    looks: 'What such an answer looks like',
    siblings: 'Others of this kind',
    all: 'All errors',
  },
  deprecations: {
    title: 'Deprecations',
    lead: 'What is deprecated is still served, and may go after the day that is named. What is removed is neither stored nor served.',
    search: 'Search',
    searchHint: 'Name or what to use instead',
    of: 'Of',
    all: 'All',
    state: 'State',
    states: { '': 'All', deprecated: 'Deprecated', removed: 'Removed' },
    name: 'Name',
    type: 'Type',
    instead: 'Instead',
    since: 'Since',
    until: 'May go after',
    count: (count: number) => plural(count, { one: '# entry', other: '# entries' }),
    none: 'Nothing matches. Clear the filters.',
  },
}

export type DocsMessages = typeof docs
