import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  faultsOfRoom,
  loadStoredAccommodations,
  loadStoredRooms,
  roomItem,
  roomKeyOf,
  storeAvailability,
} from '../../content/index.ts'
import { exactly } from '../../lang/schemas.ts'
import { defineKind, envelope, sources } from './kind.ts'

const message = Compile(exactly({ kind: Type.Literal('availability'), ...envelope }))

const unchanged = { origin: undefined, isOpen: false }

/** Rooms, rate plans and calendars, which availability checks are answered from (decision D39). */
export const availabilityKind = defineKind({
  name: 'availability',
  message,
  item: Compile(roomItem),
  checkItem: faultsOfRoom,
  footprint: (_message, items) => ({ writes: items.map(roomKeyOf), reads: [] }),
  covers: () => [
    {
      of: {
        ...{ kind: 'availability', within: {}, names: sources, makesOwn: false },
        ...{ space: 'content/accommodation', load: loadStoredAccommodations },
      },
      toTarget: (item) => ({ ...unchanged, id: item.accommodation.toUpperCase() }),
    },
    {
      of: {
        ...{ kind: 'availability', within: {}, names: sources, makesOwn: true },
        ...{ space: 'room', load: loadStoredRooms },
      },
      toTarget: ({ accommodation, room }) => ({
        ...unchanged,
        id: `${accommodation.toUpperCase()}/${room}`,
      }),
    },
  ],
  store: (tx, { items }, { received }) => storeAvailability(tx, { items, received }),
})
