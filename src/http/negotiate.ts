import { AppError } from '../errors/index.ts'

/** An item of a header such as `Accept`, in lower case, and how much the caller prefers it. */
type Weighted = { readonly name: string; readonly weight: number }

/**
 * The items of a header with their weights, as `text/*;q=0.5` (RFC 9110, section 12.4.2). A weight that
 * is not a number from 0 to 1 counts as 0. Parameters other than `q` are ignored.
 */
export function parseWeights(header: string): readonly Weighted[] {
  return header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const weight = quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, ''))
    return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 }
  })
}

/** A part of an `Accept` header, such as `text/*;q=0.5` (RFC 9110 section 12.5.1). */
type MediaRange = { readonly type: string; readonly subtype: string; readonly quality: number }

/**
 * The offered media type that `Accept` prefers. Among equal ones an exactly named type wins, then the
 * first in `Accept`, then the first on offer.
 * @returns undefined when nothing that is offered is acceptable
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

/** Index of the most specific range that matches the type: its quality counts. */
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

/** A format of answers as far as it can be requested. */
export type Offer = {
  /** Value of the parameter `format`. */
  readonly name: string
  /** Further values that mean the same. */
  readonly otherNames?: readonly string[]
  /** Media types that request it and label the answer; the first labels the answer to `format`. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Whether answers are bytes and no text. */
  readonly isBinary?: true
  /** Of a file that is kept; absent for what browsers show. */
  readonly extension?: string
}

/** Whether a value of the parameter `format` means this format. */
export function isNamed({ name, otherNames = [] }: Offer, format: string): boolean {
  return format === name || otherNames.includes(format)
}

/** The parameter `format`: every name of some formats. */
export const formatNames = (formats: readonly Offer[]): string[] =>
  formats.flatMap(({ name, otherNames = [] }) => [name, ...otherNames])

/** How to answer: a format, and the media type under which it was requested. */
export type FormatChoice<Format extends Offer> = {
  readonly format: Format
  readonly mediaType: string
}

type FormatRequest<Format extends Offer> = {
  /** The formats of this address, the one to fall back to first. */
  readonly offered: readonly [Format, ...Format[]]
  /** Value of the parameter `format`: one of the known names. */
  readonly format: string | undefined
  readonly accept: string | undefined
  readonly isStrict: boolean
  /** What is answered, for messages. */
  readonly subject: string
}

/**
 * The format of an answer: the parameter `format` wins over `Accept`. The first one, JSON, if the format
 * is not available (decision D2).
 * @throws AppError HUB-QRY-003 for that under strict handling (decision D3)
 */
export function chooseFormat<Format extends Offer>(
  asked: FormatRequest<Format>,
): FormatChoice<Format> {
  const { offered, accept } = asked
  if (asked.format !== undefined) return chooseNamed(asked.format, asked)
  const mediaType = preferredType(
    accept,
    offered.flatMap(({ mediaTypes }) => mediaTypes),
  )
  const format = offered.find(({ mediaTypes }) => mediaTypes.some((type) => type === mediaType))
  return format === undefined || mediaType === undefined
    ? inFirstType(offered[0])
    : { format, mediaType }
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

/** The `Content-Type` of an answer: texts are UTF-8, which is added to types that do not state it. */
export function contentTypeOf({ format, mediaType }: FormatChoice<Offer>): string {
  return format.isBinary === true ? mediaType : `${mediaType}; charset=utf-8`
}

export const encodings = ['br', 'gzip', 'identity'] as const

/** Content codings in which bytes are kept ready. */
export type Encoding = (typeof encodings)[number]

/**
 * The encoding that `Accept-Encoding` prefers (RFC 9110 section 12.5.3); among equals the smallest
 * result. Without the header, and when nothing matches, the bytes go as they are.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map(
    parseWeights(acceptEncoding ?? '').map(({ name, weight }) => [
      // RFC 9110 section 8.4.1.3: the same coding.
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
 * Says under which name a file is kept, such as `ParkingStation-free-latest.parquet`.
 * @param segments of the path, as far as they say what is in it
 * @returns the header `Content-Disposition` (RFC 6266); undefined for what browsers show
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

/** The header `Content-Disposition` of an answer to save as a file. */
export function fileNameHeader(
  ...file: Parameters<typeof dispositionOf>
): Readonly<Record<string, string>> {
  const disposition = dispositionOf(...file)
  return disposition === undefined ? {} : { 'content-disposition': disposition }
}
