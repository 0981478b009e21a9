import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/**
 * The JSON object that shows a station and its latest value, by the series that `near_series` names: the
 * names and forms of a `latest` read (interface 4.8), times in UTC (decision D49).
 * @param distance to the station, metres
 */
export function showNearest(distance: Sql): Sql {
  return sql`(
    select json_build_object(
      'Distance', ${distance},
      'Station', json_build_object(
        'stype', s.type, 'scode', s.code, 'sname', s.name, 'sorigin', s.origin,
        'scoordinate', json_build_object('x', st_x(s.point), 'y', st_y(s.point), 'srid', 4326)),
      'DataType', json_build_object(
        'tname', t.name, 'tunit', t.unit, 'ttype', t.rtype, 'tdescription', t.description),
      'Measurement', json_build_object(
        'mvalue', coalesce(to_jsonb(m.number), m.json, to_jsonb(m.text)),
        'mvalidtime', to_char(m.valid_time at time zone 'UTC', 'YYYY-MM-DD HH24":"MI":"SS.MS"+0000"'),
        'mperiod', x.period))
    from series as x
    join latest as m on m.series_id = x.id
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where x.id = near_series)`
}
