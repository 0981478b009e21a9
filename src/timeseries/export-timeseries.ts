import type { ColdMonths } from './cold/cold-months.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, TextRow } from '../storage/index.ts'

/** A table that is read from start to end, in pages of one short statement each. */
type Reading = {
  /** Selected columns in addition to the key. */
  readonly columns: Sql
  readonly from: Sql
  readonly where?: Sql
  /** Columns that define a total order. They come first in every row. */
  readonly key: readonly Sql[]
  readonly pageSize: number
}

/**
 * Yields the pages of a reading. Rows that are written meanwhile are included only if they come
 * later in the order.
 */
async function* pagesOf(
  database: Queryable,
  { columns, from, where = sql`true`, key, pageSize }: Reading,
): AsyncIterable<readonly TextRow[]> {
  const order = join(key, ', ')
  let after: Sql = sql`true`
  for (;;) {
    const rows = await database.texts(sql`
      select ${order}, ${columns} from ${from} where ${where} and ${after}
      order by ${order} limit ${pageSize}`)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    const values = last.slice(0, key.length).map((value) => sql`${value}`)
    after = sql`(${order}) > (${join(values, ', ')})`
  }
}

/**
 * Yields whole objects of a canonical format, whose head and item are the last two columns. Rows
 * with the same head share one object if they follow each other on a page: their order is kept.
 */
async function* objectsOf(
  database: Queryable,
  reading: Omit<Reading, 'pageSize'>,
): AsyncIterable<string> {
  const headOf = (row: TextRow | undefined) => row?.at(-2) ?? '{}'
  for await (const rows of pagesOf(database, { ...reading, pageSize: 500 })) {
    const starts = [...rows.keys()].filter(
      (index) => index === 0 || headOf(rows[index]) !== headOf(rows[index - 1]),
    )
    for (const [index, start] of starts.entries()) {
      const items = rows.slice(start, starts[index + 1]).map((row) => row.at(-1) ?? '')
      yield `${headOf(rows[start]).slice(0, -1)}, "items": [${items.join(',')}]}`
    }
  }
}

function exportDataTypes(database: Queryable): AsyncIterable<string> {
  return objectsOf(database, {
    key: [sql`name`],
    columns: sql`'{"kind": "dataTypes"}', json_build_object(
      'name', name, 'unit', unit, 'type', rtype, 'description', description, 'metadata', metadata)`,
    from: sql`data_type`,
  })
}

/**
 * Exports the stations and, after all of them, their parents, because a parent must exist before it
 * can be named. Fields that a message leaves out stay unchanged.
 */
async function* exportStations(database: Queryable): AsyncIterable<string> {
  yield* objectsOf(database, {
    key: [sql`type`, sql`code`],
    columns: sql`
      json_build_object('kind', 'stations', 'stationType', type, 'origin', origin, 'closed', closed),
      json_build_object(
        'code', code, 'name', name, 'active', active, 'available', available, 'metadata', metadata,
        'coordinate', case when point is not null then json_build_array(ST_X(point), ST_Y(point)) end)`,
    from: sql`station`,
  })
  yield* objectsOf(database, {
    key: [sql`station.type`, sql`station.code`],
    columns: sql`
      json_build_object('kind', 'stations', 'stationType', station.type),
      json_build_object('code', station.code,
        'parent', json_build_object('type', parent.type, 'code', parent.code))`,
    from: sql`station join station as parent on parent.id = station.parent_id`,
  })
}

function exportEdges(database: Queryable): AsyncIterable<string> {
  return objectsOf(database, {
    key: [sql`own.type`, sql`own.code`],
    columns: sql`
      json_build_object('kind', 'edges', 'edgeType', own.type, 'origin', own.origin),
      json_build_object('code', own.code, 'name', own.name,
        'from', case when begins.id is not null
          then json_build_object('type', begins.type, 'code', begins.code) end,
        'to', case when ends.id is not null
          then json_build_object('type', ends.type, 'code', ends.code) end,
        'directed', directed, 'geometry', ST_AsGeoJSON(geometry, 15)::json, 'active', own.active)`,
    from: sql`edge
      join station as own on own.id = edge.station_id
      left join station as begins on begins.id = from_id
      left join station as ends on ends.id = to_id`,
  })
}

/**
 * Exports the states of events in the order of their series, with the times at which they were
 * first sent: with the time of its correction, an old state would become the newest.
 */
function exportEvents(database: Queryable): AsyncIterable<string> {
  const reading = {
    key: [sql`origin`, sql`series`, sql`first_recorded`, sql`place`, sql`uuid`],
    columns: sql`
      json_build_object('kind', 'events', 'origin', origin, 'closed', closed, 'recorded', first_recorded,
        'provenance', case when provenance.id is not null then json_build_object(
          'name', provenance.name, 'version', provenance.version, 'lineage', lineage) end),
      json_build_object(
        'uuid', uuid, 'series', series, 'name', mobility_event.name, 'description', description,
        'category', category, 'tags', tags, 'severity', severity, 'start', start, 'end', "end",
        'cancelled', cancelled, 'title', title, 'text', text, 'metadata', metadata, 'datex', datex,
        'geometry', ST_AsGeoJSON(geometry, 15)::json, 'locationDescription', location_description)`,
    from: sql`mobility_event left join provenance on provenance.id = provenance_id`,
  }
  return objectsOf(database, reading)
}

/** Exports series by series in the order of time. Each page becomes one object per provenance. */
async function* exportMeasurements(database: Queryable, cold?: ColdMonths): AsyncIterable<string> {
  const series = pagesOf(database, {
    key: [sql`station.type`, sql`station.code`, sql`data_type.name`, sql`period`, sql`kind`],
    columns: sql`series.id`,
    from: sql`series
      join station on station.id = station_id
      join data_type on data_type.id = data_type_id`,
    pageSize: 1000,
  })
  for await (const page of series) {
    for (const one of page) {
      const history = { series: sql`select ${one.at(-1)}::integer`, range: always }
      yield* exportSeries(cold?.guard(database, history) ?? database, one)
    }
  }
}

const always = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }

async function* exportSeries(database: Queryable, series: TextRow): AsyncIterable<string> {
  const [stationType, code, dataType, period, , id] = series
  const head = JSON.stringify({ kind: 'measurements', stationType, period: Number(period) })
  const pages = pagesOf(database, {
    key: [sql`valid_time`],
    columns: sql`
      case when provenance.id is not null then json_build_object(
        'name', provenance.name, 'version', version, 'lineage', lineage) end,
      json_build_array(${code}::text, ${dataType}::text, valid_time,
        coalesce(to_json(number), to_json(text), json::json))`,
    from: sql`measurement left join provenance on provenance.id = provenance_id`,
    where: sql`series_id = ${id}`,
    pageSize: 10_000,
  })
  for await (const page of pages) {
    for (const [provenance, group] of Map.groupBy(page, (row) => row.at(-2) ?? 'null')) {
      const items = group.map((row) => row.at(-1) ?? '').join(',')
      yield `${head.slice(0, -1)},"provenance":${provenance},"items":[${items}]}`
    }
  }
}

/**
 * Exporters of the datasets of the time series service, in an order in which they can be imported.
 */
const exports = {
  dataTypes: exportDataTypes,
  stations: exportStations,
  edges: exportEdges,
  measurements: exportMeasurements,
  events: exportEvents,
} as const

type TimeseriesExport = keyof typeof exports

export const timeseriesExports: readonly TimeseriesExport[] = [
  'dataTypes',
  'stations',
  'edges',
  'measurements',
  'events',
]

/**
 * Exports a dataset as lines of its canonical push format. It is read in keyset pages, so memory
 * use stays flat and no statement takes long.
 * @param cold undefined if no values are stored in files
 */
export function exportTimeseries(
  database: Queryable,
  name: TimeseriesExport,
  cold?: ColdMonths,
): AsyncIterable<string> {
  return exports[name](database, cold)
}
