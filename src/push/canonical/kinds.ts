import type { Entity } from '../../content/index.ts'
import { availabilityKind } from './availability.ts'
import { contentKind } from './content.ts'
import { dataTypesKind } from './data-types.ts'
import { deletionKind } from './deletion.ts'
import { edgesKind } from './edges.ts'
import { eventsKind } from './events.ts'
import type { Kind } from './kind.ts'
import { measurementsKind } from './measurements.ts'
import { stationsKind } from './stations.ts'

/** Every canonical format. A new one is one new file and one line here. */
export function canonicalKinds(entities: readonly Entity[]): readonly Kind[] {
  return [
    contentKind(entities),
    stationsKind,
    dataTypesKind,
    measurementsKind,
    edgesKind,
    eventsKind,
    availabilityKind,
    deletionKind,
  ]
}
