import { sayIn, textsByLanguage, listOf, membersOf, numberOf, textOf, valueAt } from './json.ts'
import type { Members } from './json.ts'

/** A picture of a record, and who has rights to it. */
export type Picture = {
  readonly url: string
  /** What can be seen on it; empty where nobody said. */
  readonly alt: string
  readonly caption?: string
  readonly width?: number
  readonly height?: number
  readonly licence?: string
  readonly photographer?: string
}

/** All pictures of a record in their order: of its gallery, and what its webcam shows. */
export function readPictures(record: Members, language: string): readonly Picture[] {
  const gallery = listOf(record['ImageGallery'])
    .map(membersOf)
    .toSorted((a, b) => (numberOf(a['ListPosition']) ?? 0) - (numberOf(b['ListPosition']) ?? 0))
    .flatMap((image) => toPicture(image, language) ?? [])
  const camera = membersOf(record['WebCamProperties'])
  const live = [camera['PreviewUrl'], record['Previewurl']].flatMap((url) => {
    const address = addressOf(url)
    return address === undefined ? [] : [{ url: address, alt: '' }]
  })
  const seen = new Set<string>()
  return [...gallery, ...live].filter(({ url }) => !seen.has(url) && seen.add(url))
}

function toPicture(image: Members, language: string): Picture | undefined {
  const url = addressOf(image['ImageUrl'])
  if (url === undefined) return undefined
  const said = (name: string) => sayIn(textsByLanguage(image[name]), language)?.text
  const caption = said('ImageDesc') ?? said('ImageTitle')
  const licence = textOf(image['License'])
  const photographer = textOf(image['CopyRight']) ?? textOf(image['LicenseHolder'])
  const [width, height] = [numberOf(image['Width']), numberOf(image['Height'])]
  return {
    url,
    alt: said('ImageAltText') ?? caption ?? '',
    ...(caption === undefined ? {} : { caption }),
    ...(licence === undefined ? {} : { licence }),
    ...(photographer === undefined ? {} : { photographer }),
    ...(width === undefined || height === undefined || width <= 0 || height <= 0
      ? {}
      : { width, height }),
  }
}

/** An address of the web, and nothing else. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value)
  const isAddress = text !== undefined && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
  return isAddress ? text : undefined
}

type Licence = {
  readonly name?: string
  readonly holder?: string
  readonly author?: string
  /** Whether it is shown only because of who asks. */
  readonly closed: boolean
}

/** Under which conditions a record may be used. */
export function readLicence(record: Members): Licence {
  const read = (name: string) => textOf(valueAt(record, ['LicenseInfo', name]))
  const [name, holder, author] = [read('License'), read('LicenseHolder'), read('Author')]
  return {
    ...(name === undefined ? {} : { name }),
    ...(holder === undefined ? {} : { holder }),
    ...(author === undefined ? {} : { author }),
    closed: valueAt(record, ['LicenseInfo', 'ClosedData']) === true,
  }
}
