import { chooseFormat as chooseOffered } from '../../http/index.ts'
import type { FormatChoice } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import type { Format } from './format.ts'
import { formats, formatsOf } from './formats.ts'

/** How to answer: a format, and the media type under which it was asked for. */
export type Choice = FormatChoice<Format>

type Asked = {
  readonly entity: Entity
  readonly kind: 'item' | 'list'
  /** Value of the parameter `format`: one of the known names. */
  readonly format: string | undefined
  readonly accept: string | undefined
  readonly isStrict: boolean
  /** Whether shapes are asked for in another system than WGS 84, which GeoJSON cannot be in (D26). */
  readonly isElsewhere: boolean
}

/** JSON: what an unsupported `Accept` falls back to (decision D2). */
export const fallback: Choice = { format: formats[0], mediaType: formats[0].mediaTypes[0] }

/**
 * The format of an answer: the parameter `format` wins over `Accept`. What there is no such format of is
 * answered as JSON.
 * @throws AppError HUB-QRY-003 for that under strict handling (decision D3)
 */
export function chooseFormat({ entity, kind, isElsewhere, ...asked }: Asked): Choice {
  const [, ...all] = formatsOf(entity, kind)
  const others = all.filter(({ isInWgs84 }) => !(isInWgs84 && isElsewhere))
  return chooseOffered({ ...asked, offered: [formats[0], ...others], subject: entity.name })
}
