import { Type } from 'typebox'
import type { Entity } from '../entity.ts'
import type { AppError } from '../../errors/index.ts'
import { rejected } from '../filters/values.ts'
import { csv } from './csv.ts'
import { json, ndjson, rawdata } from './format.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { jsonLd } from './json-ld.ts'
import { arrow, parquet } from './tables.ts'
import { chooseFormat as chooseOffered, formatNames, isNamed } from '../../http/index.ts'
import type { FormatChoice } from '../../http/index.ts'
export { columnsOf, idFirst } from './csv.ts'
export type { Format, Listing, LoadedRecord, AnswerContext, Writer } from './format.ts'

/** Every response format, the default first. A new format is one new file and one line here. */
const formats: readonly [Format, ...Format[]] = [
  json,
  csv,
  jsonLd,
  rawdata,
  geojson,
  ndjson,
  arrow,
  parquet,
]

/** Returns the formats that a list or an item of an entity is available in. */
export function formatsOf(entity: Entity, kind: 'item' | 'list'): readonly Format[] {
  return formats.filter((format) => format.isFor(entity, kind))
}

/** Returns the formats of a list. */
export function listFormatsOf(entity: Entity): readonly Format[] {
  return formatsOf(entity, 'list')
}

/** Names of the formats that can stream all matching records. */
export const streamedFormats = formats.filter(({ streams }) => streams).map(({ name }) => name)

/** Chosen format, and the media type under which it was requested. */
export type Choice = FormatChoice<Format>

type FormatRequest = {
  readonly entity: Entity
  readonly kind: 'item' | 'list'
  /** Value of the parameter `format`: one of the known names. */
  readonly format: string | undefined
  readonly accept: string | undefined
  readonly isStrict: boolean
  /** Whether shapes are requested in a system other than the WGS 84 of formats for maps (D26). */
  readonly isElsewhere: boolean
}

/** JSON, to which an unsupported `Accept` falls back (decision D2). */
export const fallback: Choice = { format: formats[0], mediaType: formats[0].mediaTypes[0] }

/**
 * Chooses the format of a response. The parameter `format` takes precedence over `Accept`. If the
 * requested format is not available, the response is JSON.
 * @throws AppError HUB-QRY-001 for a named format that is always in a system other than the
 *   requested one; HUB-QRY-003 for a format that is not available, under strict handling (decision
 *   D3)
 */
export function chooseFormat({ entity, kind, isElsewhere, ...asked }: FormatRequest): Choice {
  const [, ...all] = formatsOf(entity, kind)
  const { format = '' } = asked
  const elsewhere = all.filter(({ isInWgs84 }) => isInWgs84 && isElsewhere)
  const named = elsewhere.find((one) => isNamed(one, format))
  if (named !== undefined) throw onlyInWgs84(named)
  const others = all.filter((one) => !elsewhere.includes(one))
  return chooseOffered({ ...asked, offered: [formats[0], ...others], subject: entity.name })
}

/**
 * Returns the error for a format that is always in WGS 84: GeoJSON by RFC 7946 section 4, the rest
 * because they do not state a system.
 */
function onlyInWgs84({ name }: Format): AppError {
  const detail = `specifies a system other than EPSG:4326, in which the format ${name} always is`
  return rejected({ parameter: 'srid', detail, expected: ['EPSG:4326', 'another format'] })
}

/**
 * Chooses the format of groups, which are rows rather than records.
 * @throws AppError as `chooseFormat` does
 */
export function chooseGroupFormat(
  asked: Pick<FormatRequest, 'format' | 'accept' | 'isStrict'>,
): Choice {
  return chooseOffered({ ...asked, offered: [json, csv, ndjson], subject: 'A grouped list' })
}

/** Parameters for the format of lists and single records. */
export const formatParameters = {
  format: Type.Optional(
    Type.Enum(formatNames(formats), {
      description: 'Format of the response; takes precedence over the Accept header',
    }),
  ),
  bom: Type.Boolean({
    default: false,
    description: 'Start a CSV response with a byte order mark, for spreadsheets that need one',
  }),
}

/** Parameters that only lists accept. */
export const streamParameters = {
  stream: Type.Boolean({
    default: false,
    description: `All matching records as one stream, without pages; in ${streamedFormats.join(', ')}`,
  }),
}
