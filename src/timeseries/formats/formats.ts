import type { Representation } from '../read/representation.ts'
import { arrow } from './arrow/arrow.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet/parquet.ts'

/** Every format of answers, the default first. A new one is one new file and one line here. */
export const formats: readonly [Format, ...Format[]] = [json, csv, ndjson, geojson, arrow, parquet]

/** The formats in which a structure can be written; a tree is JSON. */
export function formatsOf(structure: Representation['structure']): readonly [Format, ...Format[]] {
  const [, ...others] = formats
  return [json, ...others.filter(({ structures }) => structures.includes(structure))]
}
