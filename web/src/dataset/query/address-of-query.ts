import { choice, text, texts } from '../../address/codecs.ts'
import type { Codec } from '../../address/codecs.ts'
import { readArea, writeArea } from './area.ts'
import { everything, panes } from './dataset-query.ts'
import type { DatasetQuery, Pane, SortKey } from './dataset-query.ts'

/** Prefix of further list parameters in the URL. */
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
  write: (keys) => (keys.length === 0 ? [] : [writeSort(keys)]),
}

const shown: Codec<readonly Pane[]> = {
  read: (values) => {
    const words = list.read(values)
    const known = panes.filter((pane) => words.includes(pane))
    return known.length === 0 ? everything.panes : known
  },
  write: (value) => (value.join() === everything.panes.join() ? [] : [value.join(',')]),
}

/** Codec of one part of a query, bound to its parameter in the URL. */
type Part = {
  readonly read: (search: URLSearchParams) => Partial<DatasetQuery>
  readonly write: (search: URLSearchParams, query: DatasetQuery) => void
}

function part<Name extends keyof DatasetQuery>(
  name: Name,
  written: string,
  codec: Codec<DatasetQuery[Name]>,
): Part {
  return {
    read: (search) => ({ [name]: codec.read(search.getAll(written)) }),
    write: (search, query) => {
      search.delete(written)
      for (const word of codec.write(query[name])) search.append(written, word)
    },
  }
}

const parts = [
  part('search', 'q', text()),
  part('tags', 'tag', texts()),
  part('tagMode', 'tags', choice(['any', 'all'])),
  part('languages', 'in', list),
  part('sources', 'source', texts()),
  part('licences', 'licence', texts()),
  part('active', 'active', choice(['any', 'yes', 'no'])),
  part('area', 'area', area),
  part('expression', 'filter', text()),
  part('dataTypes', 'data', texts()),
  part('sort', 'sort', sort),
  part('columns', 'columns', list),
  part('texts', 'texts', text()),
  part('panes', 'panes', shown),
  part('pane', 'pane', choice(panes)),
  part('selected', 'record', optional),
]

/** Writes sort keys in the syntax of `rawsort`. */
export function writeSort(keys: readonly SortKey[]): string {
  return keys.map(({ path, descending }) => `${descending ? '-' : ''}${path}`).join(',')
}

/** Parses the query in the URL. Invalid values are ignored. */
export function readQuery(search: URLSearchParams): DatasetQuery {
  const own = [...search].filter(([name, value]) => name.startsWith(prefix) && value !== '')
  const parameters = Object.fromEntries(
    own.map(([name, value]) => [name.slice(prefix.length), value]),
  )
  return parts.reduce<DatasetQuery>((query, { read }) => ({ ...query, ...read(search) }), {
    ...{ ...everything, parameters },
  })
}

/**
 * Writes a query into the parameters of a URL; parameters that are not part of a query are kept.
 */
export function writeQuery(search: URLSearchParams, query: DatasetQuery): void {
  for (const { write } of parts) write(search, query)
  for (const name of [...search.keys()]) if (name.startsWith(prefix)) search.delete(name)
  for (const [name, value] of Object.entries(query.parameters)) search.set(prefix + name, value)
}
