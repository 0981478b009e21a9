import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { noteSource } from '../../content/index.ts'
import { loadStoredEvents, storeEvents } from '../../timeseries/index.ts'
import { orNull } from '../../lang/or-null.ts'
import {
  defineKind,
  envelope,
  geometry,
  metadata,
  momentFaults,
  name,
  origins,
  provenance,
  time,
} from './kind.ts'

const message = Compile(
  Type.Object(
    {
      kind: Type.Literal('events'),
      origin: name,
      closed: Type.Optional(Type.Boolean({ description: 'Whether these events are closed data' })),
      provenance: Type.Optional(orNull(provenance)),
      ...envelope,
    },
    { additionalProperties: false },
  ),
)

const optionalText = Type.Optional(orNull(Type.String()))
const perLanguage = Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.String(), {
  additionalProperties: false,
})

/** Shorter than other names: origin, series and uuid share an entry of an index (2,704 bytes). */
const identifier = Type.String({ minLength: 1, maxLength: 128 })

const item = Compile(
  Type.Object(
    {
      uuid: identifier,
      series: Type.Optional(identifier),
      name: Type.Optional(name),
      description: optionalText,
      category: optionalText,
      tags: Type.Optional(Type.Array(name, { maxItems: 100 })),
      severity: optionalText,
      start: Type.Optional(orNull(time)),
      end: Type.Optional(orNull(time)),
      cancelled: Type.Optional(Type.Boolean()),
      title: Type.Optional(orNull(perLanguage)),
      text: Type.Optional(orNull(perLanguage)),
      geometry: Type.Optional(orNull(geometry)),
      locationDescription: optionalText,
      metadata: Type.Optional(orNull(metadata)),
      datex: Type.Optional(orNull(metadata)),
    },
    { additionalProperties: false },
  ),
)

/** What events are shown as. */
const announcement = { type: 'announcement' }

/** States of mobility events: the same uuid replaces a state, a new one in a series is a version. */
export const eventsKind = defineKind({
  name: 'events',
  message,
  item,
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
