import { freeRooms } from '../src/content/availability/stored-provider.ts'
import { readAvailabilityRequest } from '../src/content/availability/parameters.ts'
import { randomOf } from '../src/demo/random.ts'
import { sql } from '../src/sql/index.ts'
import type { Sql } from '../src/sql/index.ts'
import { loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { storeObjects } from './fixtures/store-objects.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const houses = 2000
const roomsPerHouse = 3
const itemsPerMessage = 500

const oneDay = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * oneDay).toISOString().slice(0, 10)

const stay = { arrival: dayIn(10), departure: dayIn(24), roominfo: '1-38,36|1-70' }

/** Free rooms of 2,000 houses for 14 nights. All are free, with two boards. */
export const contentAvailability = comparison({
  name: 'content-availability',
  title: 'Availability of 2,000 houses for 14 nights and two rooms ÷ COPY of its statement',
  goal: 0.5,
  unit: 'checks/1,000 s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    await loadRooms(environment)
    const { token } = environment.hub
    const address = new URL('/v1/Accommodation', environment.hub.url)
    const asked = { availabilitycheck: 'true', getasidarray: 'true', ...stay }
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
    return { environment, address: address.href, token: await token('demo-admin') }
  },
  ours: async ({ address, token }) => {
    const headers = { authorization: `Bearer ${token}` }
    return 1000 / (await secondsToRead(address, houses * 9, headers))
  },
  limit: async ({ environment: { postgresql } }) =>
    1000 / (await secondsToCopy(postgresql, withValues(statement()))),
})

function statement(): Sql {
  const request = readAvailabilityRequest(stay, { now: undefined, timeZone: 'UTC' })
  return freeRooms(request, sql`select id from content.accommodation where true`)
}

/**
 * Inserts the values into the text of a statement, because psql cannot bind them. All values are
 * defined in this file.
 */
function withValues({ text, values }: Sql): string {
  return text.replaceAll(/\$(\d+)/g, (_place, number: string) => {
    const value = values[Number(number) - 1]
    const written = Array.isArray(value) ? `{${value.join(',')}}` : String(value)
    return typeof value === 'number' ? written : `'${written}'`
  })
}

async function loadRooms({ store, log }: Environment): Promise<void> {
  log('loading rooms and calendars')
  const all = messages()
  await Promise.all([storeObjects(store, all), storeObjects(store, all)])
  await store.database.execute(
    sql`vacuum analyze availability_room, availability_plan, availability_day`,
  )
}

function* messages() {
  const rooms = houses * roomsPerHouse
  for (let first = 0; first < rooms; first += itemsPerMessage) {
    const items = Array.from({ length: itemsPerMessage }, (_, index) => roomItem(first + index))
    yield { kind: 'availability', items }
  }
}

/** Creates a room with one price per week, as seasons have it. */
function roomItem(index: number) {
  const random = randomOf('availability', index)
  const plan = { channel: 'hgv', per: 'guest', children: [{ age: 11, percent: 50 }] }
  return {
    accommodation: String(lowestId + Math.floor(index / roomsPerHouse)),
    room: `R${String(index % roomsPerHouse)}`,
    ...{ type: 1, minGuests: 1, maxGuests: random.between(2, 4) },
    title: { de: 'Doppelzimmer', it: 'Camera doppia', en: 'Double room' },
    plans: [
      { ...plan, plan: 'BB', board: 'bb' },
      { ...plan, plan: 'HB', board: 'hb' },
    ],
    nights: Array.from({ length: 9 }, (_, week) => {
      const price = random.between(40, 160)
      return {
        from: dayIn(week * 7),
        to: dayIn(week * 7 + 6),
        free: random.between(1, 5),
        prices: { BB: price, HB: price + 24 },
      }
    }),
  }
}
