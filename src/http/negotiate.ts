import { AppError } from '../errors/index.ts'

/** An item of a header such as `Accept`, in lower case, with its weight. */
type Weighted = { readonly name: string; readonly weight: number }

/**
 * Parses the items of a header with their weights, such as `text/*;q=0.5` (RFC 9110, section
 * 12.4.2). A weight that is not a number from 0 to 1 counts as 0. Parameters other than `q` are
 * ignored.
 */
export function parseWeights(header: string): readonly Weighted[] {
  return header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const weight = quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, ''))
    return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 }
  })
}

/** An item of an `Accept` header, such as `text/*;q=0.5` (RFC 9110 section 12.5.1). */
type MediaRange = { readonly type: string; readonly subtype: string; readonly quality: number }

/**
 * Returns the offered media type that `Accept` prefers. Among types of equal weight an exactly
 * named type wins, then the first in `Accept`, then the first on offer.
 * @returns undefined if no offered type is acceptable
 */
export function preferredType(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = parseWeights(accept).flatMap(toRange)
  const wanted = offered.flatMap((mediaType, offer) => {
    const place = bestMatch(ranges, mediaType)
    const range = place === undefined ? undefined : ranges[place]
    if (place === undefined || range === undefined || range.quality === 0) return []
    return [{ mediaType, rank: [-range.quality, -specificity(range), place, offer] as const }]
  })
  return wanted.sort((left, right) => compareRanks(left.rank, right.rank))[0]?.mediaType
}

function toRange({ name, weight }: Weighted): readonly MediaRange[] {
  const [type = '', subtype = ''] = name.split('/')
  return type === '' || subtype === '' ? [] : [{ type, subtype, quality: weight }]
}

/**
 * Returns the index of the most specific range that matches the type, because its quality applies.
 */
function bestMatch(ranges: readonly MediaRange[], mediaType: string): number | undefined {
  const [type, subtype] = mediaType.split('/')
  let best: number | undefined
  ranges.forEach((range, place) => {
    const isMatch =
      (range.type === '*' || range.type === type) &&
      (range.subtype === '*' || range.subtype === subtype)
    const known = best === undefined ? undefined : ranges[best]
    if (isMatch && (known === undefined || specificity(range) > specificity(known))) best = place
  })
  return best
}

function specificity({ type, subtype }: MediaRange): number {
  if (type === '*') return 0
  return subtype === '*' ? 1 : 2
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  const place = left.findIndex((value, index) => value !== right[index])
  return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0)
}

/** A response format that can be requested. */
export type Offer = {
  /** The value of the parameter `format`. */
  readonly name: string
  /** Further values of `format` for it. */
  readonly otherNames?: readonly string[]
  /**
   * Media types that request it and label the response. The first one labels the response to
   * `format`.
   */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Whether responses are binary. */
  readonly isBinary?: true
  /** File name extension of downloads; missing for formats that browsers display. */
  readonly extension?: string
}

/** Reports whether a value of the parameter `format` names this format. */
export function isNamed({ name, otherNames = [] }: Offer, format: string): boolean {
  return format === name || otherNames.includes(format)
}

/** Returns all names of the given formats, the values of the parameter `format`. */
export const formatNames = (formats: readonly Offer[]): string[] =>
  formats.flatMap(({ name, otherNames = [] }) => [name, ...otherNames])

/** The format of a response, and the media type under which it was requested. */
export type FormatChoice<Format extends Offer> = {
  readonly format: Format
  readonly mediaType: string
}

type FormatRequest<Format extends Offer> = {
  /** The formats of this path, with the fallback first. */
  readonly offered: readonly [Format, ...Format[]]
  /** The value of the parameter `format`: one of the known names. */
  readonly format: string | undefined
  readonly accept: string | undefined
  readonly isStrict: boolean
  /** Name of the resource, for messages. */
  readonly subject: string
}

/**
 * Chooses the format of a response. The parameter `format` takes precedence over `Accept`. If none
 * is available, the first one, JSON, is used (decision D2).
 * @throws AppError HUB-QRY-003 in that case under strict handling (decision D3)
 */
export function chooseFormat<Format extends Offer>(
  asked: FormatRequest<Format>,
): FormatChoice<Format> {
  const { offered, accept, isStrict, subject } = asked
  if (asked.format !== undefined) return chooseNamed(asked.format, asked)
  const available = offered.flatMap(({ mediaTypes }) => mediaTypes)
  const mediaType = preferredType(accept, available)
  const format = offered.find(({ mediaTypes }) => mediaTypes.some((type) => type === mediaType))
  if (format !== undefined && mediaType !== undefined) return { format, mediaType }
  if (!isStrict) return inFirstType(offered[0])
  const detail = `${subject} is not available in a type that Accept names; it would be JSON.`
  throw new AppError('HUB-QRY-003', detail, {
    issues: [{ detail: 'Accept names no available type', expected: available }],
  })
}

function chooseNamed<Format extends Offer>(
  name: string,
  { offered, isStrict, subject }: FormatRequest<Format>,
): FormatChoice<Format> {
  const format = offered.find((candidate) => isNamed(candidate, name))
  if (format !== undefined) return inFirstType(format)
  const [fallback] = offered
  if (!isStrict) return inFirstType(fallback)
  throw new AppError(
    'HUB-QRY-003',
    `${subject} is not available in the format ${name}; it would be JSON.`,
    {
      issues: [
        {
          parameter: 'format',
          detail: 'is not available at this path',
          expected: offered.map((candidate) => candidate.name),
        },
      ],
    },
  )
}

function inFirstType<Format extends Offer>(format: Format): FormatChoice<Format> {
  return { format, mediaType: format.mediaTypes[0] }
}

/** Returns the `Content-Type` of a response. Texts are UTF-8, which is added as the charset. */
export function contentTypeOf({ format, mediaType }: FormatChoice<Offer>): string {
  return format.isBinary === true ? mediaType : `${mediaType}; charset=utf-8`
}

export const encodings = ['br', 'gzip', 'identity'] as const

/** Content codings that the hub supports. */
export type Encoding = (typeof encodings)[number]

/**
 * Returns the encoding that `Accept-Encoding` prefers (RFC 9110 section 12.5.3); among equal
 * weights the one with the smallest result. Without the header, or without a match, the bytes are
 * not encoded.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map(
    parseWeights(acceptEncoding ?? '').map(({ name, weight }) => [
      // The same coding (RFC 9110 section 8.4.1.3).
      name === 'x-gzip' ? 'gzip' : name,
      weight,
    ]),
  )
  let chosen: Encoding = 'identity'
  let best = 0
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return chosen
}

const longest = 100

/**
 * Suggests a file name, such as `ParkingStation-free-latest.parquet`.
 * @param segments of the path, as far as they describe the content
 * @returns the header `Content-Disposition` (RFC 6266); undefined for formats that browsers display
 */
export function dispositionOf(
  { extension }: Offer,
  segments: readonly string[],
): string | undefined {
  if (extension === undefined) return undefined
  const words = segments.join('-').match(/[A-Za-z0-9]+/g) ?? []
  const name = words.join('-').slice(0, longest)
  return `attachment; filename="${name === '' ? 'all' : name}.${extension}"`
}

/** Returns the header `Content-Disposition` of a download, or no header. */
export function fileNameHeader(
  ...file: Parameters<typeof dispositionOf>
): Readonly<Record<string, string>> {
  const disposition = dispositionOf(...file)
  return disposition === undefined ? {} : { 'content-disposition': disposition }
}
