import { sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { pagesOf } from './pages.ts'

/** Series by series in the order of time; a new object where the provenance changes. */
export async function* exportMeasurements(database: Queryable): AsyncIterable<string> {
  const series = pagesOf(database, {
    key: [sql`station.type`, sql`station.code`, sql`data_type.name`, sql`period`, sql`kind`],
    columns: sql`series.id`,
    from: sql`series
      join station on station.id = station_id
      join data_type on data_type.id = data_type_id`,
    pageSize: 1000,
  })
  for await (const page of series) {
    for (const one of page) yield* exportSeries(database, one)
  }
}

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
