import { addressOf, eachOnce } from './json.ts'
import { structuresOf } from './structures.ts'
import type { Described, Structure } from './structures.ts'

/** A picture of a record with its rights. */
export type Picture = {
  readonly url: string
  /** Alternative text; empty if there is none. */
  readonly alt: string
  readonly caption: string | undefined
  readonly size: { readonly width: number; readonly height: number } | undefined
  readonly licence: string | undefined
  readonly photographer: string | undefined
}

/** Returns all pictures of a record in their order; webcam images come last. */
export function readPictures(of: Described, language: string): readonly Picture[] {
  const placeOf = ({ number, path }: Structure) =>
    number('position') ?? (path.endsWith(']') ? 0 : Number.POSITIVE_INFINITY)
  const pictures = structuresOf(of, ['picture'], language)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
    .flatMap(toPicture)
  return eachOnce(pictures, ({ url }) => url)
}

function toPicture({ text, number }: Structure): readonly Picture[] {
  const url = addressOf(text('url'))
  if (url === undefined) return []
  const caption = text('caption') ?? text('title')
  const [width = 0, height = 0] = [number('width'), number('height')]
  return [
    {
      ...{ url, alt: text('alt') ?? caption ?? '', caption, licence: text('licence') },
      photographer: text('author') ?? text('holder'),
      size: width > 0 && height > 0 ? { width, height } : undefined,
    },
  ]
}

/** Returns the terms of use of a record. */
export function readLicence(of: Described) {
  const [terms] = structuresOf(of, ['terms'], '')
  return {
    name: terms?.text('licence'),
    holder: terms?.text('holder') ?? terms?.text('author'),
    /** Whether the record is closed data, visible only because of the user's rights. */
    closed: terms?.value('closed') === true,
  }
}
