import { numberOf, textOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { linkOf, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { openingHoursOf } from './opening-hours.ts'
import { thingOf } from './parts.ts'
import { textIn } from './subject.ts'
import type { Subject } from './subject.ts'

/** A ski area, and the ski region that it belongs to. */
export function toSkiResort(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  return toNode('SkiResort', {
    ...thingOf(subject),
    openingHoursSpecification: openingHoursOf(record),
    hasMap: linkOf(textOf(record['SkiAreaMapURL'])),
    isAccessibleForFree: false,
    priceRange: priceRangeOf(record),
    parentOrganization: toNode('Organization', { name: textIn(subject, record['SkiRegionName']) }),
  })
}

/** The more slopes, the more a day costs. */
function priceRangeOf(record: Members): string | undefined {
  const kilometres = numberOf(record['TotalSlopeKm'])
  if (kilometres === undefined) return undefined
  if (kilometres < 20) return '€'
  return kilometres < 60 ? '€€' : '€€€'
}
