import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { noteSource } from '../../content/index.ts'
import {
  eventItem,
  loadStoredEvents,
  name,
  provenance,
  storeEvents,
} from '../../timeseries/index.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import { defineKind, envelope, momentFaults, origins } from './kind.ts'

const message = Compile(
  exactly({
    kind: Type.Literal('events'),
    origin: name,
    closed: Type.Optional(Type.Boolean({ description: 'Whether these events are closed data' })),
    provenance: Type.Optional(orNull(provenance)),
    ...envelope,
  }),
)

/** What events are shown as. */
const announcement = { type: 'announcement' }

/** States of mobility events: the same uuid replaces a state, a new one in a series is a version. */
export const eventsKind = defineKind({
  name: 'events',
  message,
  item: Compile(eventItem),
  checkItem: ({ start, end }) => [...momentFaults('/start', start), ...momentFaults('/end', end)],
  footprint: (_message, items) => ({ writes: items.map(({ uuid }) => uuid), reads: [] }),
  covers: ({ origin, closed }) => [
    {
      of: {
        ...{ kind: 'events', space: 'event', within: {}, names: origins, makesOwn: true },
        load: loadStoredEvents,
      },
      toTarget: ({ uuid }) => ({ id: uuid, origin, isOpen: closed !== true }),
    },
  ],
  store: async (tx, { message: { origin, closed, provenance: from }, items }, { received }) => {
    const outcome = await storeEvents(tx, { origin, closed, provenance: from, items, received })
    // That there are closed ones, nobody learns from the list of sources (decision D60).
    if (outcome.stored > 0 && closed !== true) {
      await noteSource(tx, { entity: announcement, source: origin, received })
    }
    return outcome
  },
})
