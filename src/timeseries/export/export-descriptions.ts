import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { objectsOf } from './pages.ts'

export function exportDataTypes(database: Queryable): AsyncIterable<string> {
  return objectsOf(database, {
    key: [sql`name`],
    columns: sql`'{"kind": "dataTypes"}', json_build_object(
      'name', name, 'unit', unit, 'type', rtype, 'description', description, 'metadata', metadata)`,
    from: sql`data_type`,
  })
}

/**
 * Stations, and after all of them their parents: a parent must exist before it can be named, and what
 * a message leaves out stays as it is.
 */
export async function* exportStations(database: Queryable): AsyncIterable<string> {
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

export function exportEdges(database: Queryable): AsyncIterable<string> {
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

export function exportEvents(database: Queryable): AsyncIterable<string> {
  return objectsOf(database, {
    key: [sql`uuid`],
    columns: sql`
      json_build_object('kind', 'events', 'origin', origin, 'closed', closed, 'recorded', recorded,
        'provenance', case when provenance.id is not null then json_build_object(
          'name', provenance.name, 'version', provenance.version, 'lineage', lineage) end),
      json_build_object(
        'uuid', uuid, 'series', series, 'name', mobility_event.name, 'description', description,
        'category', category, 'tags', tags, 'severity', severity, 'start', start, 'end', "end",
        'cancelled', cancelled, 'title', title, 'text', text, 'metadata', metadata, 'datex', datex,
        'geometry', ST_AsGeoJSON(geometry, 15)::json, 'locationDescription', location_description)`,
    from: sql`mobility_event left join provenance on provenance.id = provenance_id`,
  })
}
