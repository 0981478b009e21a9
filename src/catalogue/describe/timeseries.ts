import { describeStationType, timeseriesFormats } from '../../timeseries/index.ts'
import type { StationSummary, ValueSummary } from '../../timeseries/index.ts'
import type { Drawable, Freshness, Traces } from '../dataset.ts'
import { mostOf, valuesOf } from '../tally.ts'
import { accessOf } from './access.ts'
import type { Describing } from './deps.ts'
import { linksTo } from './links.ts'
import { newer } from './summaries.ts'

/** The station types, with what they measure and how fresh it is. */
export function describeTimeseries(describing: Describing): readonly Drawable[] {
  return [...describing.open.stations]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, stations]) => describe(type, stations, describing))
}

function describe(type: string, stations: StationSummary, describing: Describing): Drawable {
  const { publicUrl, open, closed, guest } = describing
  const [openValues, closedValues] = [open.values.get(type), closed.values.get(type)]
  const id = `timeseries/${type}`
  const described = {
    id,
    service: 'timeseries' as const,
    type,
    dataspace: 'mobility',
    ...describeStationType(type),
    count: stations.count,
    updated: newer(openValues?.newest ?? null, closedValues?.newest ?? null),
    freshness: freshnessOf([openValues, closedValues]),
    access: accessOf({
      open: openValues?.series ?? 0,
      closed: closedValues?.series ?? 0,
      guest: guest.values.get(type)?.series ?? 0,
    }),
    licences: [],
    sources: valuesOf(stations.origins),
    languages: [],
    tags: [],
    dataTypes: mostOf(stations.dataTypes, mostDataTypes),
    formats: timeseriesFormats.map(({ name, mediaTypes: [mediaType] }) => ({ name, mediaType })),
    operations: ['listStations', 'listSeries', 'listLatest', 'listHistory', 'listFreshness'],
    links: { ...linksTo({ publicUrl, id, page: id }), ...readsOf(type, stations, publicUrl) },
  }
  return { described, traces: tracesOf(stations) }
}

/** One for all, by which it is known that nothing changed. */
const none: ReadonlyMap<string, number> = new Map()

function tracesOf({ cells, origins, dataTypes }: StationSummary): Traces {
  const values = { tags: none, languages: none, sources: origins, licences: none, dataTypes }
  return { cells, months: none, openCells: cells, values }
}

/** Of a type that has more, the others are in its members. */
const mostDataTypes = 50

function readsOf(type: string, { edges }: StationSummary, publicUrl: string) {
  const name = encodeURIComponent(type)
  const at = (representation: string) => `${publicUrl}/v2/${representation}/${name}`
  return {
    list: at('flat,node'),
    latest: `${at('flat,node')}/*/latest`,
    history: `${at('flat,node')}/{dataTypes}/{from}/{to}`,
    freshness: `${publicUrl}/v2/freshness/${name}`,
    ...(edges > 0 ? { edges: at('flat,edge') } : {}),
  }
}

const order = ['fresh', 'late', 'stale', 'silent'] as const

/** The series of both parts together; null where there is no value that the caller may see. */
function freshnessOf(parts: readonly (ValueSummary | undefined)[]): Freshness | null {
  const known = parts.flatMap((part) => part ?? [])
  const series = known.reduce((sum, part) => sum + part.series, 0)
  if (series === 0) return null
  const countOf = (state: (typeof order)[number] | 'ahead') =>
    known.reduce((sum, { states }) => sum + states[state], 0)
  const counted = order.map((state) => [state, countOf(state)] as const)
  const half = counted.reduce((sum, [, count]) => sum + count, 0) / 2
  let passed = 0
  const median = counted.find(([, count]) => (passed += count) >= half && count > 0)
  const states = { ...Object.fromEntries(counted), ahead: countOf('ahead') }
  return { state: median?.[0] ?? 'fresh', series, states }
}
