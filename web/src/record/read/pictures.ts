import { addressOf, eachOnce } from './json.ts'
import { structuresOf } from './structures.ts'
import type { Described, Structure } from './structures.ts'

/** A picture of a record, and who has rights to it. */
export type Picture = {
  readonly url: string
  /** What can be seen on it; empty where nobody said. */
  readonly alt: string
  readonly caption: string | undefined
  readonly size: { readonly width: number; readonly height: number } | undefined
  readonly licence: string | undefined
  readonly photographer: string | undefined
}

/** All pictures of a record in their order, what its webcam shows last. */
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

/** Under which conditions a record may be used. */
export function readLicence(of: Described) {
  const [terms] = structuresOf(of, ['terms'], '')
  return {
    name: terms?.text('licence'),
    holder: terms?.text('holder') ?? terms?.text('author'),
    /** Whether it is shown only because of who asks. */
    closed: terms?.value('closed') === true,
  }
}
