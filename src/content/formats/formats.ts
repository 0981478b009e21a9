import type { Entity } from '../entity.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { jsonLd } from './json-ld.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import { rawdata } from './rawdata.ts'

/** Every format of answers, the default first. A new one is one new file and one line here. */
export const formats: readonly [Format, ...Format[]] = [json, csv, jsonLd, rawdata, geojson, ndjson]

/** The formats that an address can answer in. */
export function formatsOf(entity: Entity, kind: 'item' | 'list'): readonly Format[] {
  return formats.filter((format) => format.isFor(entity, kind))
}

/** The formats of a list. */
export function listFormatsOf(entity: Entity): readonly Format[] {
  return formatsOf(entity, 'list')
}

/** Names of those in which all matching records may be had at once. */
export const streamedFormats = formats.filter(({ streams }) => streams).map(({ name }) => name)
