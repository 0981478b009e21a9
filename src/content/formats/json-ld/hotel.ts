import { membersOf, numberOf, textOf } from '../record-members.ts'
import { linkOf, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { localityOf, nameOf, thingOf } from './parts.ts'
import { entryOf, textWithin } from './subject.ts'
import type { Subject } from './subject.ts'

/** An accommodation. Its texts and its address stand in `AccoDetail` (reference content.md 4.3). */
export function toHotel(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  const detail = entryOf(subject, record['AccoDetail'])
  const category = textOf(record['AccoCategoryId']) ?? ''
  return toNode('Hotel', {
    ...thingOf(subject),
    name: textWithin(subject, record['AccoDetail'], 'Name') ?? nameOf(subject),
    description:
      textWithin(subject, record['AccoDetail'], 'Longdesc') ??
      textWithin(subject, record['AccoDetail'], 'Shortdesc'),
    url: linkOf(textOf(detail['Website'])),
    telephone: textOf(detail['Phone']),
    faxNumber: textOf(detail['Fax']),
    email: textOf(detail['Email']),
    address:
      toNode('PostalAddress', {
        streetAddress: textOf(detail['Street']),
        postalCode: textOf(detail['Zip']),
        addressLocality: textOf(detail['City']),
        addressCountry: textOf(detail['CountryCode']),
      }) ?? localityOf(subject),
    starRating: toNode('Rating', { ratingValue: starsOf(category) }),
    priceRange: priceRangeOf(category),
    aggregateRating: reviewOf(subject),
  })
}

/** `3sstars` lies between three and four; flowers and suns count like stars. */
function starsOf(category: string): number | undefined {
  const [, level, superior] = /^([1-5])(s?)(?:star|flower|sun)s?$/.exec(category) ?? []
  return level === undefined ? undefined : Number(level) + (superior === 's' ? 0.5 : 0)
}

function priceRangeOf(category: string): string | undefined {
  const stars = starsOf(category)
  if (stars === undefined) return undefined
  if (stars <= 2) return '€'
  if (stars < 4) return '€€'
  return stars === 4 ? '€€€' : '€€€€'
}

/** Reviews are scored from 0 to 1000; state 2 means that there are enough of them. */
function reviewOf({ record }: Subject): LinkedNode | undefined {
  const review = membersOf(membersOf(record['Review'])['trustyou'])
  const score = numberOf(review['Score'])
  const count = numberOf(review['Results'])
  const isShown = review['Active'] === true && review['StateInteger'] === 2
  if (!isShown || score === undefined || count === undefined) return undefined
  return toNode('AggregateRating', {
    ratingValue: score / 10,
    bestRating: 100,
    reviewCount: count,
  })
}
