import { choice, text, texts } from '../../address/codecs.ts'
import type { Codec } from '../../address/codecs.ts'
import { readArea, writeArea } from './area.ts'
import { everything, panes } from './dataset-query.ts'
import type { DatasetQuery, Pane, SortKey } from './dataset-query.ts'

/** Further parameters stand in the address with this before their name. */
const prefix = 'by.'

const optional: Codec<string | undefined> = {
  read: ([first]) => (first === '' ? undefined : first),
  write: (value) => (value === undefined ? [] : [value]),
}

const area: Codec<DatasetQuery['area']> = {
  read: ([first = '']) => readArea(first),
  write: (value) => (value === undefined ? [] : [writeArea(value)]),
}

const list: Codec<readonly string[]> = {
  read: ([first = '']) => [...new Set(first.split(','))].filter((word) => word !== ''),
  write: (words) => (words.length === 0 ? [] : [words.join(',')]),
}

const sort: Codec<readonly SortKey[]> = {
  read: (values) =>
    list.read(values).map((word) => ({
      path: word.replace(/^-/, ''),
      descending: word.startsWith('-'),
    })),
  write: (keys) => list.write(keys.map(writeSortKey)),
}

const shown: Codec<readonly Pane[]> = {
  read: (values) => {
    const words = list.read(values)
    const known = panes.filter((pane) => words.includes(pane))
    return known.length === 0 ? everything.panes : known
  },
  write: (value) => (value.join() === everything.panes.join() ? [] : [value.join(',')]),
}

/** How each part of a query is called in the address, and written there. */
const parts: {
  readonly [Name in Exclude<keyof DatasetQuery, 'parameters'>]: readonly [
    string,
    Codec<DatasetQuery[Name]>,
  ]
} = {
  search: ['q', text()],
  tags: ['tag', texts()],
  tagMode: ['tags', choice(['any', 'all'])],
  languages: ['in', list],
  sources: ['source', texts()],
  licences: ['licence', texts()],
  active: ['active', choice(['any', 'yes', 'no'])],
  area: ['area', area],
  expression: ['filter', text()],
  dataTypes: ['data', texts()],
  sort: ['sort', sort],
  columns: ['columns', list],
  texts: ['texts', text()],
  panes: ['panes', shown],
  pane: ['pane', choice(panes)],
  selected: ['record', optional],
}

/** A member to sort by, as `rawsort` writes it. */
export function writeSortKey({ path, descending }: SortKey): string {
  return `${descending ? '-' : ''}${path}`
}

/** Reads the query that stands in an address; what cannot be read is as if it were not there. */
export function readQuery(search: URLSearchParams): DatasetQuery {
  const read = <Value>([name, codec]: readonly [string, Codec<Value>]) =>
    codec.read(search.getAll(name))
  const own = [...search].filter(([name, value]) => name.startsWith(prefix) && value !== '')
  return {
    search: read(parts.search),
    tags: read(parts.tags),
    tagMode: read(parts.tagMode),
    languages: read(parts.languages),
    sources: read(parts.sources),
    licences: read(parts.licences),
    active: read(parts.active),
    area: read(parts.area),
    expression: read(parts.expression),
    dataTypes: read(parts.dataTypes),
    parameters: Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])),
    sort: read(parts.sort),
    columns: read(parts.columns),
    texts: read(parts.texts),
    panes: read(parts.panes),
    pane: read(parts.pane),
    selected: read(parts.selected),
  }
}

/** Writes a query into the parameters of an address; others there stay. */
export function writeQuery(search: URLSearchParams, query: DatasetQuery): void {
  const write = <Value>([name, codec]: readonly [string, Codec<Value>], value: Value) => {
    search.delete(name)
    for (const word of codec.write(value)) search.append(name, word)
  }
  write(parts.search, query.search)
  write(parts.tags, query.tags)
  write(parts.tagMode, query.tagMode)
  write(parts.languages, query.languages)
  write(parts.sources, query.sources)
  write(parts.licences, query.licences)
  write(parts.active, query.active)
  write(parts.area, query.area)
  write(parts.expression, query.expression)
  write(parts.dataTypes, query.dataTypes)
  write(parts.sort, query.sort)
  write(parts.columns, query.columns)
  write(parts.texts, query.texts)
  write(parts.panes, query.panes)
  write(parts.pane, query.pane)
  write(parts.selected, query.selected)
  for (const name of [...search.keys()]) if (name.startsWith(prefix)) search.delete(name)
  for (const [name, value] of Object.entries(query.parameters)) search.set(prefix + name, value)
}
