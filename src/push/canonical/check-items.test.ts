import { describe, expect, it } from 'vitest'
import { alone, inSets } from './check-items.ts'
import { measurementsKind } from './timeseries.ts'

/** `w:a` writes a, `r:a` reads it, and `alone` must be stored alone. */
const setsOf = (...ones: readonly string[]) =>
  inSets(ones, (one) => {
    if (one === 'alone') return alone
    const keysOf = (prefix: string) =>
      one.split(' ').flatMap((part) => (part.startsWith(prefix) ? [part.slice(2)] : []))
    return { writes: keysOf('w:'), reads: keysOf('r:') }
  })

describe('sets of objects that are stored together', () => {
  it.each([
    ['are one where nothing meets', ['w:a', 'w:b r:c', 'r:c'], [['w:a', 'w:b r:c', 'r:c']]],
    ['end where a key is written again', ['w:a', 'w:b', 'w:a'], [['w:a', 'w:b'], ['w:a']]],
    ['end where what was written is read', ['w:a', 'r:a'], [['w:a'], ['r:a']]],
    ['end where what was read is written', ['r:a', 'w:a'], [['r:a'], ['w:a']]],
    ['let an object meet itself', ['w:a r:a', 'w:b'], [['w:a r:a', 'w:b']]],
    ['forget what was before', ['w:a', 'w:a w:b', 'w:c'], [['w:a'], ['w:a w:b', 'w:c']]],
    ['leave alone what goes alone', ['w:a', 'alone', 'w:b'], [['w:a'], ['alone'], ['w:b']]],
    ['are none of nothing', [], []],
  ])('%s', (_what, ones, sets) => {
    expect(setsOf(...ones)).toEqual(sets)
  })
})

describe('a value of a measurement', () => {
  it.each([true, null, [[1]]])(
    'of an invalid type is rejected with the allowed types: %j',
    (value) => {
      const items = [['code', 'type', '2026-11-20T10:15:00Z', value]]
      const message = { kind: 'measurements', stationType: 'Parking', period: 60, items }
      expect(measurementsKind.check(message).rejected).toEqual([
        {
          index: 0,
          pointer: '/items/0/3',
          reason: 'must be number or string or object; allowed: number, string, object',
        },
      ])
    },
  )
})
