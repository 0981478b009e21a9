import { Type } from 'typebox'
import type { Representation } from '../read/representation.ts'
import { arrow, parquet } from './columnar.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { json, ndjson } from './json.ts'

const longest = 100

/**
 * Says under which name a file is kept, such as `ParkingStation-free-latest.parquet`.
 * @param segments of the path after the representation
 * @returns the header `Content-Disposition` (RFC 6266); undefined for what browsers show
 */
export function dispositionOf(
  { extension }: Format,
  segments: readonly string[],
): string | undefined {
  if (extension === undefined) return undefined
  const words = segments.join('-').match(/[A-Za-z0-9]+/g) ?? []
  const name = words.join('-').slice(0, longest)
  return `attachment; filename="${name === '' ? 'all' : name}.${extension}"`
}

/** The header `Content-Disposition` of what is kept as a file. */
export function fileNameHeader(
  ...file: Parameters<typeof dispositionOf>
): Readonly<Record<string, string>> {
  const disposition = dispositionOf(...file)
  return disposition === undefined ? {} : { 'content-disposition': disposition }
}

/** Every format of answers, the default first. A new one is one new file and one line here. */
export const formats: readonly [Format, ...Format[]] = [json, csv, ndjson, geojson, arrow, parquet]

/** The formats in which a structure can be written; a tree is JSON. */
export function formatsOf(structure: Representation['structure']): readonly [Format, ...Format[]] {
  const [, ...others] = formats
  return [json, ...others.filter(({ structures }) => structures.includes(structure))]
}

/** How an answer is written. */
export const formatParameters = {
  format: Type.Optional(
    Type.Enum(
      formats.map(({ name }) => name),
      { description: 'Format of the answer; wins over the Accept header. A tree is JSON' },
    ),
  ),
  bom: Type.Boolean({
    default: false,
    description: 'Begin a CSV answer with a byte order mark, for spreadsheets that need one',
  }),
}
