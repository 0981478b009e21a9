import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { inBatches, inSteps } from '../async/index.ts'
import { inOrder, openParquet } from '../tables/index.ts'
import type { ColumnKind, TypedColumn } from '../tables/index.ts'
import type { ExportFile } from './export-list.ts'
import { positionOf, shapeOf } from '../content/index.ts'
import { fieldsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { TextRow } from '../storage/index.ts'

/** Maximum size of a part before compression. */
export type PartLimits = { readonly characters: number; readonly records: number }

export const partLimits: PartLimits = { characters: 250_000_000, records: 1_000_000 }

/** Messages of a feed, and where and how to write them. */
export type Writing = {
  readonly dataset: string
  readonly pages: AsyncIterable<readonly string[]>
  readonly folder: string
  readonly limits: PartLimits
  /** Called with every message. */
  readonly note: (message: Message) => void
  /** Called often. @throws an error to stop the writing */
  readonly onProgress: () => Promise<void>
}

/** A finished file and its path. */
export type WrittenFile = { readonly path: string; readonly file: ExportFile }

/**
 * Writes messages in parts, both as lines and as tables. The tables are made from the lines once
 * the columns are known. Both therefore have the same records, and memory never holds more than a
 * piece of a part.
 */
export async function writeExport(writing: Writing): Promise<readonly WrittenFile[]> {
  const gathered = gatherColumns()
  const note = (message: Message) => {
    writing.note(message)
    gathered.note(message)
  }
  const lines = await writeLines({ ...writing, note })
  const tables: WrittenFile[] = []
  for (const one of lines) tables.push(await writeTable(writing, gathered.table(), one))
  return [...lines, ...tables]
}

type Piece = { readonly text: string; readonly records: number }

async function* piecesOf({ pages, note, onProgress }: Writing): AsyncGenerator<Piece> {
  for await (const messages of pages) {
    await onProgress()
    for await (const batch of inBatches(messages.map((data) => ({ data })))) {
      for (const { data } of batch) note(readMessage(data))
      yield { text: batch.map(({ data }) => `${data}\n`).join(''), records: batch.length }
    }
  }
}

async function writeLines(writing: Writing): Promise<readonly WrittenFile[]> {
  const { limits } = writing
  const pieces = piecesOf(writing)
  const files: WrittenFile[] = []
  let next = await pieces.next()
  while (next.done !== true) {
    let [characters, count] = [0, 0]
    async function* part() {
      while (next.done !== true && characters < limits.characters && count < limits.records) {
        yield next.value.text
        characters += next.value.text.length
        count += next.value.records
        next = await pieces.next()
      }
    }
    const path = join(writing.folder, `${String(files.length)}.ndjson.gz`)
    const written = await writeMeasured(path, async (meter) => {
      await pipeline(part, createGzip(), meter, createWriteStream(path, { flush: true }))
    })
    files.push(named(writing, written, { format: 'ndjson.gz', count }))
  }
  return files
}

async function writeTable(
  writing: Writing,
  { columns, toRow }: Table,
  { path: lines, file: { count } }: WrittenFile,
): Promise<WrittenFile> {
  async function* table() {
    const writer = await openParquet({ columns, showNull: true, hasLongRows: true })
    yield* inSteps(writer.begin())
    for await (const texts of linesOf(lines)) {
      await writing.onProgress()
      yield* inSteps(writer.rows(texts.map((text) => toRow(readMessage(text)))))
    }
    yield* inSteps(writer.end())
  }
  const path = `${lines}.parquet`
  const written = await writeMeasured(path, async (meter) => {
    await pipeline(table, meter, createWriteStream(path, { flush: true }))
  })
  return named(writing, written, { format: 'parquet', count })
}

/** Yields the lines of a compressed file, several at a time. */
async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  const text = createGunzip().setEncoding('utf8')
  const reading = pipeline(createReadStream(path), text)
  // An error in either stream ends the text, and reading the text throws it.
  reading.catch(() => undefined)
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
}

type Meter = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>
type Measured = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** Measures a file while it is written. */
export async function writeMeasured(
  path: string,
  write: (meter: Meter) => Promise<void>,
): Promise<Measured> {
  const hash = createHash('sha256')
  let bytes = 0
  await write(async function* measure(source) {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  })
  return { path, bytes, sha256: hash.digest('hex') }
}

function named(
  { dataset }: Writing,
  { path, bytes, sha256 }: Measured,
  { format, count }: Pick<ExportFile, 'format' | 'count'>,
): WrittenFile {
  const name = `${slugOf(dataset)}-${sha256.slice(0, 24)}.${format}`
  return { path, file: { name, format, bytes, sha256, count } }
}

const maxSlugLength = 60

/** Returns the part of a dataset name that every file system allows. Origins may have any name. */
function slugOf(dataset: string): string {
  return dataset.replaceAll(/[^\w.-]+/g, '_').slice(0, maxSlugLength)
}

/** A message of a feed, reduced to what the columns need. */
type Message = { readonly key: string; readonly value: Members }

function readMessage(text: string): Message {
  const { key, value } = fieldsOf(JSON.parse(text))
  return { key: String(key), value: fieldsOf(value) }
}

/** A table of messages: its columns, and the cells of a message for the Parquet writer. */
type Table = {
  readonly columns: readonly TypedColumn[]
  readonly toRow: (message: Message) => TextRow
}

/**
 * Determines the columns of a dataset from its values. A top-level field has the common type of all
 * its values, or else JSON. Numbers are never typed as integers, because future values may have
 * decimals.
 */
function gatherColumns() {
  const kinds = new Map<string, ColumnKind>()
  let hasPlaces = false
  return {
    note: ({ value }: Message): void => {
      for (const [name, field] of Object.entries(value)) {
        const kind = kindOf(field)
        if (kind === undefined) continue
        const known = kinds.get(name) ?? kind
        kinds.set(name, known === kind ? kind : 'json')
      }
      hasPlaces ||= placeOf(value) !== undefined
    },
    table: (): Table => {
      const fields = [...kinds].map(([name, kind]) => ({ name, kind }))
      const hasGeometry = hasPlaces && !kinds.has('geometry')
      const key = { name: kinds.has('key') ? '_key' : 'key', kind: 'text' } as const
      const geometry = { name: 'geometry', kind: 'geometry' } as const
      return {
        columns: withBounds(inOrder([key, ...fields, ...(hasGeometry ? [geometry] : [])])),
        toRow: (message) => [
          message.key,
          ...fields.map(({ name, kind }) => cellOf(message.value[name], kind)),
          ...(hasGeometry ? [placeOf(message.value) ?? null] : []),
        ],
      }
    },
  }
}

/** Adds a bounding box after each geometry, by which readers of GeoParquet select rows. */
function withBounds(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  const names = new Set(columns.map(({ name }) => name))
  return columns.flatMap((column) => {
    if (column.kind !== 'geometry') return [column]
    const own = `${column.name}_bbox`
    const name = column.name === 'geometry' && !names.has('bbox') ? 'bbox' : own
    return [column, { ...column, name, kind: 'bbox' }]
  })
}

/** @returns undefined for null, which every column may contain */
function kindOf(value: unknown): ColumnKind | undefined {
  switch (typeof value) {
    case 'boolean':
    case 'number':
      return typeof value === 'number' ? 'number' : 'boolean'
    case 'string':
      return 'text'
    default:
      if (value === null || value === undefined) return undefined
      return pointOf(value) === undefined ? 'json' : 'geometry'
  }
}

function cellOf(value: unknown, kind: ColumnKind): string | null {
  if (value === null || value === undefined) return null
  if (kind === 'text' && typeof value === 'string') return value
  if (kind === 'boolean') return value === true ? 't' : 'f'
  if (kind === 'geometry') return pointOf(value) ?? null
  return JSON.stringify(value)
}

/** Returns the place of a record as GeoJSON, if it has one. */
function placeOf(value: Members): string | undefined {
  const place = shapeOf(value) ?? positionOf(value)
  return place === undefined ? undefined : JSON.stringify(place)
}

/** Returns a point with the members x and y, as stations have it, as GeoJSON. */
function pointOf(value: unknown): string | undefined {
  const { x, y } = fieldsOf(value)
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return isPoint ? JSON.stringify({ type: 'Point', coordinates: [x, y] }) : undefined
}
