import { wordsOf } from '../intl.ts'

const { date, number, plural } = wordsOf('en')

type MemberType =
  'text' | 'number' | 'boolean' | 'time' | 'object' | 'json' | 'value' | 'place' | 'any'

type Described = {
  readonly deprecated: {
    readonly since: string
    readonly removedAfter: string
    readonly description: string
    readonly replacement: string | null
  } | null
}

const operators: Readonly<Record<string, string>> = {
  and: 'all match',
  or: 'any matches',
  not: 'does not match',
  eq: 'equal',
  ne: 'not equal',
  neq: 'not equal',
  gt: 'more than',
  ge: 'at least',
  gteq: 'at least',
  lt: 'less than',
  le: 'at most',
  lteq: 'at most',
  like: 'contains the text',
  likein: 'contains one of the texts or patterns',
  in: 'one of the values',
  nin: 'none of the values',
  isnull: 'is missing',
  isnotnull: 'is present',
  re: 'matches the pattern',
  ire: 'matches, in any case',
  nre: 'does not match',
  nire: 'does not match, in any case',
  bbi: 'intersects the box',
  bbc: 'is inside the box',
  dlt: 'within a number of metres',
}

const types: Readonly<Record<MemberType, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  time: 'time',
  object: 'object',
  json: 'JSON',
  value: 'value',
  place: 'place',
  any: 'anything',
}

const comparisons = {
  is: 'is',
  isNot: 'is not',
  more: 'is more than',
  atLeast: 'is at least',
  less: 'is less than',
  atMost: 'is at most',
  contains: 'contains',
  oneOf: 'is one of',
  noneOf: 'is none of',
  there: 'is present',
  missing: 'is missing',
}

/** What is said of conditions and expressions. */
export const expression = {
  conditions: {
    larger: 'Edit in a larger window',
    title: 'More conditions',
    way: 'How conditions are edited',
    rows: 'Choose',
    text: 'Write',
    label: (language: string) => `Expression (${language})`,
  },
  builder: {
    choose: 'Choose a field',
    noMember: 'No field matches',
    values: 'Values',
    addValue: 'Add a value',
    zone: 'in universal time (UTC)',
    yes: 'yes',
    no: 'no',
    beyond: 'Rows cannot show all of this expression.',
    write: 'Edit it as text',
    join: 'How conditions are combined',
    all: 'All match',
    any: 'Any matches',
    add: 'Add a condition',
    condition: (count: number) => `Condition ${number(count)}`,
    remove: (count: number) => `Remove condition ${number(count)}`,
    member: (count: number) => `Field of condition ${number(count)}`,
    value: (count: number) => `Value of condition ${number(count)}`,
    comparison: (count: number) => `Comparison of condition ${number(count)}`,
    comparisons,
    timeComparisons: {
      ...comparisons,
      is: 'is at',
      isNot: 'is not at',
      more: 'is after',
      atLeast: 'is from … on',
      less: 'is before',
      atMost: 'is until',
    },
  },
  completion: {
    operator: (name: string) => operators[name] ?? name,
    type: (type: MemberType) => types[type],
    deprecated: ({ deprecated }: Described): string | undefined => {
      if (deprecated === null) return undefined
      const { since, removedAfter, replacement, description } = deprecated
      const instead = replacement === null ? description : `Use ${replacement}.`
      return `Deprecated since ${date(since)}, may go after ${date(removedAfter)}. ${instead}`
    },
  },
  expression: {
    expected: 'Expected here:',
    expectedAt: (position: number) => `At character ${number(position)} expected:`,
    wrong: 'This cannot be read',
    apply: 'Apply',
    discard: 'Discard changes',
    examples: 'Examples',
    understoodAs: 'Understood as',
    fine: 'The hub understands this. Enter applies it.',
    enterApplies: 'Enter applies it. Ctrl and space list what is possible.',
    placeholders: {
      rawfilter: "like(Detail.en.Title,'lake')",
      where: 'sname.ire."station"',
      rawsort: '-LastChange,Shortname',
      select: 'scode,sname',
    },
    exampleNames: {
      activeAndHigh: 'Active, and at least 1200 m up',
      titleContains: '“berg” in the title',
      changedLately: 'Changed in the last 30 days',
      withPictures: 'With pictures',
      withoutEnglish: 'Without an English title',
      withTag: 'With a certain tag',
      activeStations: 'Active stations',
      large: 'From a size or altitude on',
      named: 'Names that begin with b',
      near: 'Within 10 km of Bolzano',
      ofOrigin: 'From one origin',
    },
  },
}

export type ExpressionMessages = typeof expression

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
  range: {
    from: 'From',
    to: 'To',
  },
}

function distance(metres: number): string {
  return metres < 1000
    ? `${number(Math.round(metres))} m`
    : `${number(Math.round(metres / 100) / 10)} km`
}

export type QueryMessages = typeof query
