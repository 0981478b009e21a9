import { AppError } from '../errors/index.ts'
import { preferredType } from './media-range.ts'

/** A format of answers as far as it can be asked for. */
export type Offer = {
  /** Value of the parameter `format`. */
  readonly name: string
  /** Media types that ask for it, and are answered; the first is answered to `format`. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Whether answers are bytes and no text. */
  readonly isBinary?: true
}

/** How to answer: a format, and the media type under which it was asked for. */
export type FormatChoice<Format extends Offer> = {
  readonly format: Format
  readonly mediaType: string
}

type Asked<Format extends Offer> = {
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
 * The format of an answer: the parameter `format` wins over `Accept`. What there is no such format of is
 * answered in the first one, JSON (decision D2).
 * @throws AppError HUB-QRY-003 for that under strict handling (decision D3)
 */
export function chooseFormat<Format extends Offer>(asked: Asked<Format>): FormatChoice<Format> {
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
  { offered, isStrict, subject }: Asked<Format>,
): FormatChoice<Format> {
  const format = offered.find((candidate) => candidate.name === name)
  if (format !== undefined) return inFirstType(format)
  const [fallback] = offered
  if (!isStrict) return inFirstType(fallback)
  throw new AppError('HUB-QRY-003', `${subject} has no format ${name}; it would be JSON.`, {
    issues: [
      {
        parameter: 'format',
        detail: 'is not there at this address',
        expected: offered.map((candidate) => candidate.name),
      },
    ],
  })
}

function inFirstType<Format extends Offer>(format: Format): FormatChoice<Format> {
  return { format, mediaType: format.mediaTypes[0] }
}

/** The `Content-Type` of an answer: texts are UTF-8, and types that do not say so are told. */
export function contentTypeOf({ format, mediaType }: FormatChoice<Offer>): string {
  return format.isBinary === true ? mediaType : `${mediaType}; charset=utf-8`
}
