import {
  AsyncByteQueue,
  RecordBatch,
  RecordBatchStreamWriter,
  Struct,
  makeData,
} from 'apache-arrow'
import type { Data } from 'apache-arrow'
import type { TextRow } from '../../../storage/index.ts'
import { gatherRows } from '../columns/gather-rows.ts'
import { vectorReaders } from '../columns/to-vector.ts'
import { toTypedColumns } from '../columns/typed-column.ts'
import type { AnswerWriter, Listing } from '../format.ts'
import { toData } from './to-data.ts'
import { toSchema } from './to-schema.ts'

/** Writes an answer as a stream of Arrow: its schema, then one record batch after the other. */
export function arrowWriter({ columns: listed, kinds, style, zone }: Listing): AnswerWriter {
  const columns = toTypedColumns(listed, kinds)
  const schema = toSchema(columns, zone)
  const readers = vectorReaders(columns)
  const gathered = gatherRows({ columns, showNull: style.showNull, sharedTexts: 'once' })
  const { writer, take } = openStream()

  /** One column at a time, so that others have their turn in between. */
  function* writeBatch(rows: readonly TextRow[]) {
    const children: Data[] = []
    for (const [place, { type }] of schema.fields.entries()) {
      const vector = readers[place]?.(rows)
      if (vector !== undefined) children.push(toData(vector, type))
      yield nothing
    }
    const type = new Struct(schema.fields)
    writer.write(new RecordBatch(schema, makeData({ type, length: rows.length, children })))
    yield take()
  }

  return {
    begin: () => {
      writer.reset(undefined, schema)
      return [take()]
    },
    *rows(rows) {
      gathered.add(rows)
      if (gathered.isEnough()) yield* writeBatch(gathered.take())
    },
    *end() {
      const rows = gathered.take()
      if (rows.length > 0) yield* writeBatch(rows)
      writer.finish()
      yield take()
    },
  }
}

const nothing = new Uint8Array()

/** A writer whose bytes are taken whenever there are some: nothing is queued behind a slow reader. */
function openStream() {
  let pieces: Uint8Array[] = []
  const write = (piece: Uint8Array) => {
    pieces.push(piece)
  }
  const writer = new RecordBatchStreamWriter()
  writer.reset(Object.assign(new AsyncByteQueue(), { write }))
  const take = (): Uint8Array => {
    const taken = Buffer.concat(pieces)
    pieces = []
    return taken
  }
  return { writer, take }
}
