import { describe, expect, it } from 'vitest'
import { noise, randomOf, smoothNoise } from './random.ts'

describe('randomness by key', () => {
  it('repeats itself for the same key', () => {
    const draw = () => {
      const random = randomOf('seed', 'thing', 7)
      return [random.next(), random.between(1, 6), random.uuid(), random.hex(9)]
    }
    expect(draw()).toEqual(draw())
  })

  it('distinguishes the parts of a key', () => {
    expect(randomOf(1, 23).next()).not.toBe(randomOf(12, 3).next())
  })

  it('reaches both ends of a range and nothing beyond', () => {
    const random = randomOf('range')
    const drawn = new Set(Array.from({ length: 400 }, () => random.between(3, 6)))
    expect([...drawn].sort()).toEqual([3, 4, 5, 6])
  })

  it('is evenly distributed', () => {
    const random = randomOf('even')
    const drawn = Array.from({ length: 20_000 }, () => random.next())
    const tenths = Array.from(
      { length: 10 },
      (_, tenth) => drawn.filter((value) => Math.floor(value * 10) === tenth).length,
    )
    expect(Math.min(...tenths)).toBeGreaterThan(1800)
    expect(Math.max(...tenths)).toBeLessThan(2200)
  })

  it('chooses as many different items as requested, or all of them', () => {
    const random = randomOf('some')
    const list = ['a', 'b', 'c', 'd', 'e']
    for (let count = 0; count <= 5; count++) {
      expect(new Set(random.some(list, count)).size).toBe(count)
    }
    expect(random.some(list, 9)).toEqual(list)
  })

  it('writes UUIDs of version 4', () => {
    const random = randomOf('uuid')
    for (let n = 0; n < 50; n++) {
      expect(random.uuid()).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }
  })

  it('has noise from 0 to 1, and smooth noise between neighbouring values', () => {
    for (let n = 0; n < 1000; n++) {
      expect(noise(99, n)).toBeGreaterThanOrEqual(0)
      expect(noise(99, n)).toBeLessThan(1)
      const low = Math.min(noise(5, n), noise(5, n + 1))
      const high = Math.max(noise(5, n), noise(5, n + 1))
      expect(smoothNoise(5, n + 0.3)).toBeGreaterThanOrEqual(low)
      expect(smoothNoise(5, n + 0.3)).toBeLessThanOrEqual(high)
    }
  })
})
