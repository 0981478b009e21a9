import type { Entity } from '../../entity.ts'
import { toRecipe } from './article.ts'
import { toAttraction } from './attraction.ts'
import { toEvents, toShortEvents } from './event.ts'
import { furtherTellings, toDataset } from './further.ts'
import { toHotel } from './hotel.ts'
import { present, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { thingOf } from './parts.ts'
import { toSkiResort } from './ski-resort.ts'
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
