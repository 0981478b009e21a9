import type { Entity } from '../../entity.ts'
import { listOf, membersOf, textOf, textsOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { toRecipe } from './article.ts'
import { toEvents, toShortEvents } from './event.ts'
import { furtherTellings, toDataset } from './further.ts'
import { toHotel } from './hotel.ts'
import { present, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { openingHoursOf } from './opening-hours.ts'
import { languagesOf, thingOf } from './parts.ts'
import { toSkiResort } from './ski-resort.ts'
import { entryOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** Tells a record in linked data: mostly one node, for an event one for each date, or none. */
type Telling = (subject: Subject) => readonly LinkedNode[]

const single =
  (tell: (subject: Subject) => LinkedNode | undefined): Telling =>
  (subject) =>
    present(tell(subject))

const place = single((subject) => toNode('Place', thingOf(subject)))

/** Which entity is told as what (interface 9.5; the further ones have what fits best there), by the identifiers of their types. */
const tellings: ReadonlyMap<string, Telling> = new Map([
  ['accommodation', single(toHotel)],
  ['event', toEvents],
  ['eventshort', toShortEvents],
  ['article', single(toRecipe)],
  ['skiarea', single(toSkiResort)],
  ['skiregion', single(toSkiResort)],
  ['region', place],
  ['metaregion', place],
  ['experiencearea', place],
  ['tourismassociation', place],
  ['municipality', place],
  ['district', place],
  ['area', place],
  ['venue', place],
  ...Object.entries(furtherTellings).map(([type, tell]) => [type, single(tell)] as const),
])

export function tellingOf({ type }: Entity): Telling {
  // Their names carry the prefix of the deployment (decision D10).
  if (type.endsWith('activitypoi')) return single(toAttraction)
  if (type.endsWith('metadata')) return single(toDataset)
  return tellings.get(type) ?? place
}

/** A restaurant where the record is tagged as gastronomy, otherwise an attraction. */
function toAttraction(subject: Subject): LinkedNode | undefined {
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
