import { AppError } from '../../errors/index.ts'
import type { Entity } from '../entity.ts'
import type { Format } from './format.ts'
import { formats, formatsOf } from './formats.ts'
import { preferredType } from './media-range.ts'

/** How to answer: a format, and the media type under which it was asked for. */
export type Choice = { readonly format: Format; readonly mediaType: string }

type Asked = {
  readonly entity: Entity
  readonly kind: 'item' | 'list'
  /** Value of the parameter `format`: one of the known names. */
  readonly format: string | undefined
  readonly accept: string | undefined
  readonly isStrict: boolean
}

/** JSON: what an unsupported `Accept` falls back to (decision D2). */
export const fallback: Choice = { format: formats[0], mediaType: formats[0].mediaTypes[0] }

/**
 * The format of an answer: the parameter `format` wins over `Accept`. What there is no such format of is
 * answered as JSON.
 * @throws AppError HUB-QRY-003 for that under strict handling (decision D3)
 */
export function chooseFormat(asked: Asked): Choice {
  const offered = formatsOf(asked.entity, asked.kind)
  if (asked.format !== undefined) return choiceNamed(asked.format, offered, asked)
  const mediaType = preferredType(
    asked.accept,
    offered.flatMap(({ mediaTypes }) => mediaTypes),
  )
  const format = offered.find(({ mediaTypes }) => mediaTypes.some((type) => type === mediaType))
  return format === undefined || mediaType === undefined ? fallback : { format, mediaType }
}

function choiceNamed(
  name: string,
  offered: readonly Format[],
  { entity, isStrict }: Asked,
): Choice {
  const format = offered.find((candidate) => candidate.name === name)
  if (format !== undefined) return { format, mediaType: format.mediaTypes[0] }
  if (!isStrict) return fallback
  throw new AppError('HUB-QRY-003', `${entity.name} has no format ${name}; it would be JSON.`, {
    issues: [
      {
        parameter: 'format',
        detail: 'is not there for this entity',
        expected: offered.map((candidate) => candidate.name),
      },
    ],
  })
}

/** The `Content-Type` of an answer: texts are UTF-8, and types that do not say so are told. */
export function contentTypeOf({ mediaType }: Choice): string {
  return `${mediaType}; charset=utf-8`
}
