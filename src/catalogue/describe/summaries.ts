import type { Summary } from '../../content/index.ts'
import type { Described, Traces } from '../dataset.ts'
import { addTallies, mostOf, valuesOf } from '../tally.ts'
import { accessOf } from './access.ts'

type Parts = {
  readonly open: Summary | undefined
  readonly closed: Summary | undefined
  readonly guest: Summary | undefined
}

/** What the records of a dataset tell: those that are open, and the closed ones that the caller sees. */
type Told = Pick<
  Described,
  'count' | 'updated' | 'access' | 'licences' | 'sources' | 'languages' | 'tags'
>

/** Tags on a card. */
const mostTags = 12

const nothing: Summary = {
  count: 0,
  updated: null,
  sources: new Map(),
  licences: new Map(),
  languages: new Map(),
  tags: new Map(),
  cells: new Map(),
  months: new Map(),
}

/** The open and the visible closed records of a dataset together. */
export function together({ open = nothing, closed = nothing }: Parts): Summary {
  const tally = (of: 'sources' | 'licences' | 'languages' | 'tags' | 'cells' | 'months') =>
    addTallies(open[of], closed[of])
  return {
    count: open.count + closed.count,
    updated: newer(open.updated, closed.updated),
    sources: tally('sources'),
    licences: tally('licences'),
    languages: tally('languages'),
    tags: tally('tags'),
    cells: tally('cells'),
    months: tally('months'),
  }
}

export function tell(parts: Parts): Told {
  const { open = nothing, closed = nothing, guest = nothing } = parts
  const { count, updated, sources, licences, languages, tags } = together(parts)
  return {
    count,
    updated,
    access: accessOf({ open: open.count, closed: closed.count, guest: guest.count }),
    licences: valuesOf(licences),
    sources: valuesOf(sources),
    languages: valuesOf(languages),
    tags: mostOf(tags, mostTags),
  }
}

export function traces(parts: Parts): Traces {
  const { cells, months, tags, languages, sources, licences } = together(parts)
  const values = { tags, languages, sources, licences, dataTypes: nothing.tags }
  return { cells, months, openCells: parts.open?.cells ?? new Map(), values }
}

/** The later of two times in ISO 8601. */
export function newer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
