import { listOf, membersOf, textOf, textsOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { openingHoursOf } from './opening-hours.ts'
import { languagesOf, thingOf } from './parts.ts'
import { entryOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** A restaurant where the record is tagged as gastronomy, otherwise an attraction. */
export function toAttraction(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  const openingHours = { openingHoursSpecification: openingHoursOf(record) }
  if (!isGastronomy(record)) {
    return toNode('TouristAttraction', {
      ...thingOf(subject),
      ...openingHours,
      availableLanguage: languagesOf(record),
    })
  }
  return toNode('Restaurant', {
    ...thingOf(subject),
    ...openingHours,
    founder: founderOf(subject),
    servesCuisine: cuisinesOf(record),
  })
}

function isGastronomy(record: Members): boolean {
  const tags = [record['SmgTags'], record['TagIds']].flatMap(textsOf)
  return tags.some((tag) => tag.toLowerCase() === 'gastronomy')
}

function founderOf(subject: Subject): LinkedNode | undefined {
  const contact = entryOf(subject, subject.record['ContactInfos'])
  const names = [textOf(contact['Givenname']), textOf(contact['Surname'])]
  return toNode('Person', { name: names.filter((name) => name !== undefined).join(' ') })
}

/** Facilities whose name says so; a list of codes would be the knowledge of one source. */
function cuisinesOf(record: Members): readonly string[] {
  const properties = membersOf(
    membersOf(record['AdditionalProperties'])['GastronomyLtsDataProperties'],
  )
  return [properties['Facilities'], record['Facilities']]
    .flatMap(listOf)
    .flatMap(({ Shortname }) => textOf(Shortname) ?? [])
    .filter((name) => /cuisine|küche|cucina/i.test(name))
}
