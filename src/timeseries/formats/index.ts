import { Type } from 'typebox'
import { assertNoneIgnored, byteOrderMark, formatNames, isNamed, toCsv } from '../../http/index.ts'
import { fieldsOf } from '../../lang/json.ts'
import type { TextRow } from '../../storage/index.ts'
import { arrowOffer, openArrow, openParquet, parquetOffer, readerOf } from '../../tables/index.ts'
import type { Table } from '../../tables/index.ts'
import type { FieldType } from '../catalogue/groups.ts'
import { membersOf } from '../read/members.ts'
import type { Style } from '../read/members.ts'
import type { Representation } from '../read/representation.ts'
import type { Format, Listing } from './format.ts'
import { toTypedColumns } from './typed-columns.ts'

/** The default format: rows in the envelope of the interface (2.5). */
export const json: Format = {
  name: 'json',
  mediaTypes: ['application/json', 'text/json'],
  summary: 'JSON',
  structures: ['flat', 'tree'],
  needsPlace: false,
  open: ({ offset, limit, data }) => ({
    begin: () => `{"offset":${String(offset)},"limit":${String(limit)},"data":`,
    rows: data.rows,
    end: () => `${data.end()}}`,
  }),
}

/** One object per line, as in the flat JSON response, without an envelope. */
const ndjson: Format = {
  name: 'ndjson',
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  summary: 'One JSON object on each line',
  structures: ['flat'],
  needsPlace: false,
  open: ({ columns, style }) => {
    const write = membersOf(columns, style)
    return {
      begin: () => '',
      rows: (rows) =>
        rows
          .map(write)
          .filter((members) => members !== '')
          .map((members) => `{${members}}\n`)
          .join(''),
      end: () => '',
    }
  },
}

/**
 * A table of RFC 4180 with a column for each selected field, whether or not a row has it. Times are
 * formatted as in the JSON response, texts are unchanged, objects and arrays are JSON, and null is
 * an empty cell.
 */
const csv: Format = {
  name: 'csv',
  mediaTypes: ['text/csv'],
  summary: 'A table; `select` chooses its columns',
  structures: ['flat'],
  needsPlace: false,
  open: ({ columns, style, bom }) => {
    const cells = columns.map((column) => ({
      toCell: cellOf(column.type, style),
      read: readerOf(column),
    }))
    const header = toCsv([columns.map(({ key }) => key)])
    return {
      begin: () => (bom ? `${byteOrderMark}${header}` : header),
      rows: (rows) =>
        toCsv(
          rows
            .map((row) =>
              cells.map(({ toCell, read }) => {
                const value = read(row)
                return value === null || value === undefined ? null : toCell(value)
              }),
            )
            // As in the other formats, a row without any shown value is left out (reference 1.12).
            .filter((row) => row.some((cell) => cell !== null)),
        ),
      end: () => '',
    }
  },
}

/** Returns a function that converts a value, as the database printed it, to the text of a cell. */
function cellOf(type: FieldType, { printTime }: Style): (value: string) => string {
  switch (type) {
    case 'time':
      return printTime
    case 'boolean':
      return (value) => (value === 't' ? 'true' : 'false')
    case 'json':
    case 'value':
      return textOfJson
    case 'text':
    case 'integer':
    case 'bigint':
    case 'number':
    case 'point':
    case 'geometry':
      return (value) => value
  }
}

/** Returns a JSON string without its quotes, and other JSON unchanged: numbers keep all digits. */
function textOfJson(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json
}

/**
 * Converts a place, as the database printed it, to a GeoJSON geometry: a point with its axes and
 * reference system, or a geometry with its own. RFC 7946 supports only WGS 84, which all of them
 * are in.
 */
function toGeometry(printed: string): string {
  const { x, y, srid: _srid, crs: _crs, ...geometry } = fieldsOf(JSON.parse(printed))
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return JSON.stringify(isPoint ? { type: 'Point', coordinates: [x, y] } : geometry)
}

/** Fields with the place of a row: of stations and their values, of edges, and of events. */
const places: readonly string[] = ['scoordinate', 'egeometry', 'evlgeometry']

/**
 * GeoJSON (RFC 7946): a feature for each row. Its geometry is the place of the row in WGS 84,
 * longitude first, or null if it has none; its `properties` are all other fields of the flat JSON
 * response.
 */
const geojson: Format = {
  name: 'geojson',
  mediaTypes: ['application/geo+json'],
  summary: 'GeoJSON features, longitude first',
  structures: ['flat'],
  needsPlace: true,
  open: ({ columns, style, offset, limit }) => {
    const place = columns.find(({ key }) => places.includes(key))
    const write = membersOf(
      columns.filter((column) => column !== place),
      style,
    )
    const readPlace = place === undefined ? undefined : readerOf(place)
    let separator = ''
    const toFeature = (row: TextRow) => {
      const [geometry, properties] = [geometryOf(readPlace?.(row)), write(row)]
      if (geometry === 'null' && properties === '') return ''
      const feature = `${separator}{"type":"Feature","geometry":${geometry},"properties":{${properties}}}`
      separator = ','
      return feature
    }
    return {
      begin: () =>
        `{"type":"FeatureCollection","offset":${String(offset)},"limit":${String(limit)},"features":[`,
      rows: (rows) => rows.map(toFeature).join(''),
      end: () => ']}',
    }
  },
}

function geometryOf(printed: string | null | undefined): string {
  return printed === null || printed === undefined ? 'null' : toGeometry(printed)
}

/** Columns as a stream of Apache Arrow, for programs that compute with them. */
export const arrow: Format = {
  ...arrowOffer,
  summary: 'Typed columns as a stream of Apache Arrow record batches',
  structures: ['flat'],
  needsPlace: false,
  open: (listing) => openArrow(tableOf(listing)),
}

/** Columns as a Parquet file, which is small and suited to storage. */
export const parquet: Format = {
  ...parquetOffer,
  summary: 'Typed columns as a compressed Apache Parquet file',
  structures: ['flat'],
  needsPlace: false,
  open: (listing) => openParquet(tableOf(listing)),
}

function tableOf({ columns, kinds, style: { showNull }, zone }: Listing): Table {
  return { columns: toTypedColumns(columns, kinds), showNull, zone }
}

/**
 * All response formats, the default first. A new format needs its declaration and an entry here.
 */
export const formats: readonly [Format, ...Format[]] = [json, csv, ndjson, geojson, arrow, parquet]

/** Returns the formats in which a structure can be written. A tree is always JSON. */
export function formatsOf(structure: Representation['structure']): readonly [Format, ...Format[]] {
  const [, ...others] = formats
  return [json, ...others.filter(({ structures }) => structures.includes(structure))]
}

type Written = { readonly format?: string; readonly bom: boolean }

/**
 * Returns the parameters of the format that have no effect: `format` if that format is not
 * available, and `bom` with formats other than CSV.
 * @throws AppError HUB-QRY-003 for `bom` under strict handling (decision D3)
 */
export function formatIgnored(
  { format: named, bom }: Written,
  format: Format,
  handling: 'strict' | 'lenient',
): readonly string[] {
  const ignored = bom && format !== csv ? ['bom'] : []
  if (handling === 'strict') assertNoneIgnored(ignored, `in the format ${format.name}`)
  return named === undefined || isNamed(format, named) ? ignored : ['format', ...ignored]
}

/** Parameters for the format of the response. */
export const formatParameters = {
  format: Type.Optional(
    Type.Enum(formatNames(formats), {
      description:
        'Format of the response; takes precedence over the Accept header. A tree is always JSON',
    }),
  ),
  bom: Type.Boolean({
    default: false,
    description: 'Start a CSV response with a byte order mark, for spreadsheets that need one',
  }),
}
