import type { Offer } from '../../http/index.ts'
import { fieldsOf, parseObject } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { TextRow } from '../../storage/index.ts'
import {
  arrowOffer,
  inOrder,
  openArrow,
  openParquet,
  parquetOffer,
  toShape,
} from '../../tables/index.ts'
import type { Table, TableWriter, TypedColumn } from '../../tables/index.ts'
import { toShown } from '../representation.ts'
import { columnsOfEntity, columnsOfPaths, hasPlaces, otherColumn, putRecords } from './columns.ts'
import type { FieldColumn } from './columns.ts'
import { defineFormat } from './format.ts'
import type { AnswerContext, Format, LoadedRecord, Writer } from './format.ts'
import { positionOf, shapeOf } from './geojson.ts'

/** Columns as a Parquet file, small and ready to be kept; with places it is GeoParquet. */
export const parquet = tableFormat(
  { ...parquetOffer, summary: 'Typed columns as a compressed Apache Parquet file, GeoParquet 1.1' },
  openParquet,
)

/** Columns as a stream of Apache Arrow, for programs that compute with them. */
export const arrow = tableFormat(
  { ...arrowOffer, summary: 'Typed columns as a stream of Apache Arrow record batches, GeoArrow' },
  openArrow,
)

function tableFormat(
  offer: Offer & Pick<Format, 'summary'>,
  open: (table: Table) => Promise<TableWriter>,
): Format {
  return defineFormat({
    ...offer,
    streams: true,
    needsWhole: true,
    isInWgs84: true,
    list: (context) => openWriter(context, open),
    item: async (record, context) => {
      const writer = await openWriter(context, open)
      return Buffer.concat([...writer.begin(), ...writer.records([record]), ...writer.end()])
    },
  })
}

async function openWriter(
  context: AnswerContext,
  open: (table: Table) => Promise<TableWriter>,
): Promise<Writer<Iterable<Uint8Array>>> {
  const { columns, toRow } = toTable(context)
  const { begin, rows, end } = await open({
    ...{ columns, showNull: true, hasLongRows: true, zone: 'UTC' },
  })
  return { begin, records: (records) => rows(records.map(toRow)), end }
}

type RecordTable = {
  readonly columns: readonly TypedColumn[]
  readonly toRow: (record: LoadedRecord) => TextRow
}

/** The columns of an answer, before any of its records is read, and the cells of a record. */
function toTable({ entity, representation, reduced, addressOf }: AnswerContext): RecordTable {
  const { fields, language } = representation
  const isChosen = fields.length > 0
  const isPlaced = hasPlaces(entity)
  const chosen = isChosen
    ? columnsOfPaths(entity, fields)
    : columnsOfEntity(entity, { language, reduced }).filter(({ name }) => name !== shape)
  const free = freeNames(chosen)
  const columns = [...chosen, ...(isPlaced ? [free(geometry)] : []), free(otherColumn)]
  const blank: readonly null[] = columns.map(() => null)
  const put = putRecords(chosen, isChosen ? 'fields' : 'paths')
  return {
    columns: inOrder(columns).flatMap((column) =>
      column.kind === 'geometry' ? [column, { ...free(bbox), cell: column.cell }] : [column],
    ),
    toRow: ({ id, data }) => {
      const cells: (string | null)[] = blank.slice()
      const shown = fieldsOf(toShown(data, addressOf(id), representation))
      const place = isPlaced ? placeOf(isChosen ? parseObject(data) : shown) : undefined
      if (place !== undefined) cells[chosen.length] = JSON.stringify(place)
      const left = put(shown, cells)
      const rest = isPlaced ? withoutShape(left) : left
      if (rest !== undefined) cells[columns.length - 1] = JSON.stringify(rest)
      return cells
    },
  }
}

const geometry = { name: 'geometry', kind: 'geometry' } as const
const bbox = { name: 'bbox', kind: 'bbox' } as const

/** Columns that the hub adds to fields: a field of the same name keeps it, and the column gets `_` behind its own. */
function freeNames(fields: readonly FieldColumn[]) {
  const taken = new Set(fields.map(({ name }) => name))
  const freeName = (name: string): string => (taken.has(name) ? freeName(`${name}_`) : name)
  return ({ name, kind }: FieldColumn): FieldColumn => ({ name: freeName(name), kind })
}

/** The field that holds the place as GeoJSON: where it can be read, the column of places has all of it. */
const shape = 'Geometry'

function placeOf(record: Members): object | undefined {
  return shapeOf(record) ?? positionOf(record)
}

/** What of a record has no column. */
function withoutShape(rest: Members | undefined): Members | undefined {
  if (rest === undefined || toShape(rest[shape]) === undefined) return rest
  const { [shape]: _, ...others } = rest
  return Object.keys(others).length === 0 ? undefined : others
}
