import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  boards,
  channels,
  faultsOfRoom,
  loadStoredAccommodations,
  loadStoredRooms,
  roomKeyOf,
  roomTypes,
  storeAvailability,
} from '../../content/index.ts'
import { dayForm, form } from '../../errors/index.ts'
import { defineKind, envelope, name, orNull, sources } from './kind.ts'

const message = Compile(
  Type.Object({ kind: Type.Literal('availability'), ...envelope }, { additionalProperties: false }),
)

const texts = Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.String(), {
  additionalProperties: false,
})
const guests = Type.Integer({ minimum: 1, maximum: 1000 })
const price = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Euros a night, two decimals',
})
const address = form('^https?://', 'is not an address; it begins with https://')
const link = Type.String({ ...address, maxLength: 2000 })
const day = Type.String({ ...dayForm, description: 'yyyy-MM-dd' })

const plan = Type.Object(
  {
    plan: name,
    channel: Type.Enum([...channels]),
    board: Type.Enum([...boards], {
      description: 'ws without board, bb breakfast, hb half board, fb full board, ai all inclusive',
    }),
    per: Type.Enum(['guest', 'room'], { description: 'What the price is for' }),
    price: Type.Optional(orNull(price)),
    children: Type.Optional(
      Type.Array(
        Type.Object(
          {
            age: Type.Integer({
              minimum: 0,
              maximum: 120,
              description: 'Up to this age, in years',
            }),
            percent: Type.Integer({ minimum: 0, maximum: 100 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20 },
      ),
    ),
    link: Type.Optional(orNull(link)),
  },
  { additionalProperties: false },
)

const nights = Type.Object(
  {
    from: day,
    to: day,
    free: Type.Integer({ minimum: 0, maximum: 10_000 }),
    minStay: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    closedToArrival: Type.Optional(Type.Boolean()),
    closedToDeparture: Type.Optional(Type.Boolean()),
    prices: Type.Optional(
      Type.Record(Type.String(), price, { description: 'By plan, in the place of its price' }),
    ),
  },
  { additionalProperties: false },
)

const item = Compile(
  Type.Object(
    {
      accommodation: name,
      room: name,
      type: Type.Optional(
        Type.Enum([...roomTypes], {
          description: '0 not specified, 1 room, 2 apartment, 4 pitch or tent, 8 dormitory',
        }),
      ),
      minGuests: Type.Optional(guests),
      stdGuests: Type.Optional(orNull(guests)),
      maxGuests: Type.Optional(guests),
      title: Type.Optional(texts),
      description: Type.Optional(texts),
      pictures: Type.Optional(Type.Array(link, { maxItems: 100 })),
      active: Type.Optional(Type.Boolean()),
      plans: Type.Optional(Type.Array(plan, { maxItems: 100 })),
      nights: Type.Optional(Type.Array(nights, { maxItems: 1200 })),
    },
    { additionalProperties: false },
  ),
)

const unchanged = { origin: undefined, isOpen: false }

/** Rooms, rate plans and calendars, which availability checks are answered from (decision D39). */
export const availabilityKind = defineKind({
  name: 'availability',
  message,
  item,
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
