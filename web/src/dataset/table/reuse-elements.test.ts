import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reuseElements } from './reuse-elements.ts'

const drawn = (pairs: readonly (readonly [number, number])[]) => new Map(pairs)

it('creates an element for each row without one', () => {
  expect(reuseElements(new Map(), [4, 5, 6])).toEqual([0, 1, 2])
})

it('keeps rows that stay, and reuses elements of removed rows for new ones', () => {
  const before = drawn([
    [4, 0],
    [5, 1],
    [6, 2],
  ])
  expect(reuseElements(before, [6, 7, 8])).toEqual([2, 0, 1])
  expect(reuseElements(before, [70, 71, 72])).toEqual([0, 1, 2])
  expect(reuseElements(before, [4, 70, 71, 72])).toEqual([0, 1, 2, 3])
})

it('never assigns one element to two rows, or another element to a row that stays', () => {
  const rows = fc
    .uniqueArray(fc.nat(40), { maxLength: 12 })
    .map((all) => all.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 20 }), (turns) => {
      let before = new Map<number, number>()
      for (const turn of turns) {
        const elements = reuseElements(before, turn)
        expect(new Set(elements).size).toBe(turn.length)
        for (const [position, row] of turn.entries()) {
          const own = before.get(row)
          if (own !== undefined) expect(elements[position]).toBe(own)
        }
        before = new Map(turn.map((row, position) => [row, elements[position] ?? -1]))
      }
    }),
  )
})
