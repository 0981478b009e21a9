import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { cheapestRooms } from './offers.ts'
import type { PricedRoom } from './offers.ts'

/** Finds the cheapest total by trying every assignment of rooms to the requested ones. */
function bruteForce(rooms: readonly PricedRoom[], wanted: number): number | undefined {
  const tryFrom = (seq: number, free: readonly number[]): number | undefined => {
    if (seq === wanted) return 0
    const totals = rooms.flatMap(({ prices }, index) => {
      const price = prices[seq]
      const left = free[index] ?? 0
      if (price === undefined || left === 0) return []
      const rest = tryFrom(seq + 1, free.with(index, left - 1))
      return rest === undefined ? [] : [price + rest]
    })
    return totals.length === 0 ? undefined : Math.min(...totals)
  }
  return tryFrom(
    0,
    rooms.map(({ free }) => free),
  )
}

const cases = fc.integer({ min: 1, max: 4 }).chain((wanted) =>
  fc.record({
    wanted: fc.constant(wanted),
    rooms: fc.array(
      fc.record({
        free: fc.integer({ min: 0, max: 3 }),
        prices: fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), {
          minLength: wanted,
          maxLength: wanted,
        }),
      }),
      { maxLength: 5 },
    ),
  }),
)

describe('cheapestRooms', () => {
  it('minimizes the total price, not the price of the first room', () => {
    const rooms = [
      { free: 1, prices: [10, 11] },
      { free: 1, prices: [12, 30] },
    ]
    expect(cheapestRooms(rooms, 2)).toEqual({ total: 23, rooms: [1, 0] })
  })

  it('assigns no room more often than it is free', () => {
    const rooms = [{ free: 2, prices: [5, 5, 5] }]
    expect(cheapestRooms(rooms, 2)).toEqual({ total: 10, rooms: [0, 0] })
    expect(cheapestRooms(rooms, 3)).toBeUndefined()
    expect(cheapestRooms([], 1)).toBeUndefined()
  })

  it('finds the same total as brute force for random rooms', () => {
    fc.assert(
      fc.property(cases, ({ rooms, wanted }) => {
        const found = cheapestRooms(rooms, wanted)
        expect(found?.total).toBe(bruteForce(rooms, wanted))
        if (found === undefined) return
        expect(found.rooms).toHaveLength(wanted)
        rooms.forEach(({ free }, index) => {
          expect(found.rooms.filter((room) => room === index).length).toBeLessThanOrEqual(free)
        })
        const sum = found.rooms.reduce(
          (total, room, seq) => total + (rooms[room]?.prices[seq] ?? NaN),
          0,
        )
        expect(sum).toBe(found.total)
      }),
      { numRuns: 3000 },
    )
  })

  it('finds ten rooms among many within ten milliseconds', () => {
    const rooms = Array.from({ length: 60 }, (_, room) => ({
      free: 2,
      prices: Array.from({ length: 10 }, (_, seq) => ((room * 7 + seq * 13) % 31) + room),
    }))
    const find = () => {
      for (let run = 0; run < 100; run++) cheapestRooms(rooms, 10)
    }
    expect(cpuMilliseconds(find)).toBeLessThan(1000)
  })
})
