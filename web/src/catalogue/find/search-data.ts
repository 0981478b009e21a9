import { pathOf } from '../../address/match.ts'
import { pathOfLink, quotePattern } from '../../api/query.ts'
import { readJson } from '../../api/read-json.ts'

/** A record or a station that matches a search, and the URL of its view. */
export type Hit = {
  readonly title: string
  /** Entity or station type: `Event`, `ParkingStation`. */
  readonly kind: string
  readonly href: string
}

/** First matches among records and stations, and the total number of matching records. */
export type Hits = {
  readonly records: readonly Hit[]
  readonly total: number
  readonly stations: readonly Hit[]
}

const few = 6
const nothing: Hits = { records: [], total: 0, stations: [] }

/** Shorter texts match nearly everything. */
const shortest = 3

type Found = {
  readonly TotalResults: number
  readonly Items: readonly Readonly<Record<string, unknown>>[]
}
type Stations = {
  readonly data: readonly {
    readonly scode: string
    readonly sname?: string
    readonly stype: string
  }[]
}

/** Searches the records and stations of the hub for a text, in the language of the page. */
export async function searchData(
  text: string,
  language: string,
  signal: AbortSignal,
): Promise<Hits> {
  const wanted = text.trim()
  if (wanted.length < shortest) return nothing
  const [found, { data }] = await Promise.all([
    readJson<Found>('/v1/Find', { q: wanted, language, pagesize: few }, signal),
    readJson<Stations>(
      '/v2/flat,node/*',
      { where: whereName(wanted), select: 'scode,sname,stype', limit: few },
      signal,
    ),
  ])
  return {
    records: found.Items.flatMap(toRecord),
    total: found.TotalResults,
    stations: data.map(({ scode, sname, stype }) => ({
      title: sname ?? scode,
      kind: stype,
      href: `${pathOf('/datasets/timeseries/:type', { type: stype })}?${new URLSearchParams({ record: scode, q: sname ?? scode }).toString()}`,
    })),
  }
}

/** Builds the condition that the name of a station contains a text, ignoring case. */
export function whereName(text: string): string {
  return `sname.ire.${quotePattern(text)}`
}

/**
 * Converts a record to a hit. `Self` holds the entity as URLs spell it; the title is the only other
 * text.
 */
function toRecord(item: Readonly<Record<string, unknown>>): readonly Hit[] {
  const { Id: id, Self: self } = item
  const entity = /^\/v1\/(.+)\/[^/]+$/.exec(pathOfLink(String(self)) ?? '')?.[1]
  if (typeof id !== 'string' || entity === undefined) return []
  const title = Object.entries(item)
    .filter(([name]) => !/^(Id|Self|_Meta)/.test(name))
    .map(([, value]) => value)
    .find((value) => typeof value === 'string')
  const type = entity.replaceAll('/', '')
  return [{ title: title ?? id, kind: type, href: pathOf('/records/:type/:id', { type, id }) }]
}
