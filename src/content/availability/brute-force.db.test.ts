import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { boards } from './request.ts'
import type { AvailabilityRequest } from './request.ts'
import type { RoomItem } from './item.ts'
import { storeAvailability } from './store-availability.ts'
import { storedProvider } from './stored-provider.ts'

const received = new Date('2026-12-01T12:00:00Z')

describeWithDatabase('the cheapest offer of stored rooms', (database) => {
  it('equals the result of brute force for random rooms and calendars', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = randomOf(seed)
      const items = Array.from({ length: random.between(1, 4) }, (_, index) =>
        randomRoom(random, index),
      )
      await database().execute(sql`truncate availability_day, availability_plan, availability_room`)
      await database().transaction((tx) => storeAvailability(tx, { items, received }))
      const asked = randomRequest(random)
      const all = sql`select 'A1'`
      const found = await storedProvider(database()).check(asked, all)
      const [offer] = found.get('A1')?.offers() ?? []
      const least = boards.map((board) => bruteForce(items, asked, board))
      const cheapest = Math.min(...least.map((cents) => cents ?? Infinity))
      expect([seed, offer?.CheapestOffer]).toEqual([
        seed,
        cheapest === Infinity ? undefined : cheapest / 100,
      ])
      for (const [index, board] of boards.entries()) {
        const cents = least[index]
        const expected = cents === undefined ? null : cents / 100
        if (offer !== undefined) expect(offer[`CheapestOffer_${board}`]).toBe(expected)
      }
    }
  })
})

function randomRequest(random: Random): AvailabilityRequest {
  const nights = random.between(1, 4)
  return {
    ...{ arrival: '2026-12-10', departure: `2026-12-${String(10 + nights)}`, nights },
    rooms: Array.from({ length: random.between(1, 3) }, (_, index) => ({
      seq: index + 1,
      type: random.pick([0, 1, 2] as const),
      ages: Array.from({ length: random.between(1, 3) }, () => random.between(1, 40)),
    })),
    ...{ boards, channels: ['hgv'], language: 'en', detail: 'basic', source: 'sinfo' },
  }
}

type Random = ReturnType<typeof randomOf>

/** Returns a pseudo-random generator (mulberry32). Equal seeds give equal sequences. */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <Item>(list: readonly [Item, ...Item[]]): Item =>
    list[between(0, list.length - 1)] ?? list[0]
  return { between, pick, chance: (probability: number) => next() < probability }
}

function randomRoom(random: Random, index: number): RoomItem {
  return {
    ...{ accommodation: 'A1', room: `R${String(index)}`, type: random.pick([1, 2] as const) },
    ...{ minGuests: 1, maxGuests: random.between(1, 3) },
    plans: Array.from({ length: random.between(1, 3) }, (_, plan) => ({
      ...{ plan: `P${String(plan)}`, channel: 'hgv' as const, board: random.pick(boards) },
      per: random.pick(['guest', 'room'] as const),
      price: random.chance(0.2) ? null : random.between(10, 60),
      children: [{ age: random.between(3, 12), percent: random.pick([0, 30, 50]) }],
    })),
    nights: [10, 11, 12, 13, 14].map((day) => ({
      ...{ from: `2026-12-${String(day)}`, to: `2026-12-${String(day)}` },
      free: random.chance(0.1) ? 0 : random.between(1, 3),
      minStay: random.chance(0.8) ? 1 : 3,
      ...{ closedToArrival: random.chance(0.1), closedToDeparture: random.chance(0.1) },
      prices: random.chance(0.5) ? { P0: random.between(5, 70) + 0.5 } : {},
    })),
  }
}

/**
 * Computes the cheapest total in cents by brute force: examines every night, tries every choice.
 */
function bruteForce(
  items: readonly RoomItem[],
  { rooms: wanted, nights: count }: AvailabilityRequest,
  board: string,
): number | undefined {
  const dayOf = (item: RoomItem, offset: number) =>
    item.nights?.find(({ from }) => from === `2026-12-${String(10 + offset)}`)
  const freeIn = (item: RoomItem) => {
    const stay = Array.from({ length: count }, (_, offset) => dayOf(item, offset))
    const [first] = stay
    const isOpen =
      first?.closedToArrival === false &&
      (first.minStay ?? 1) <= count &&
      dayOf(item, count)?.closedToDeparture !== true
    return isOpen ? Math.min(...stay.map((night) => night?.free ?? 0)) : 0
  }
  const priceOf = (item: RoomItem, seq: number) => {
    const { type, ages } = wanted[seq] ?? { type: 0, ages: [] }
    if (type !== 0 && type !== item.type) return []
    if (ages.length > (item.maxGuests ?? 0)) return []
    return (item.plans ?? []).flatMap((plan) => {
      if (plan.board !== board) return []
      let cents = 0
      for (let offset = 0; offset < count; offset++) {
        const price = dayOf(item, offset)?.prices?.[plan.plan] ?? plan.price
        if (price === null || price === undefined) return []
        cents += price * 100
      }
      if (plan.per === 'room') return [cents]
      const [child] = plan.children ?? []
      const shares = ages.map((age) =>
        child !== undefined && age <= child.age ? child.percent : 100,
      )
      return [Math.round((cents * shares.reduce((sum, share) => sum + share, 0)) / 100)]
    })
  }
  const tryFrom = (seq: number, free: readonly number[]): number | undefined => {
    if (seq === wanted.length) return 0
    const totals = items.flatMap((item, index) => {
      const prices = priceOf(item, seq)
      if (prices.length === 0 || (free[index] ?? 0) === 0) return []
      const rest = tryFrom(seq + 1, free.with(index, (free[index] ?? 0) - 1))
      return rest === undefined ? [] : [Math.min(...prices) + rest]
    })
    return totals.length === 0 ? undefined : Math.min(...totals)
  }
  return tryFrom(0, items.map(freeIn))
}
