import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reuseElements } from './reuse-elements.ts'

const drawn = (pairs: readonly (readonly [number, number])[]) => new Map(pairs)

it('makes an element for each row where there is none', () => {
  expect(reuseElements(new Map(), [4, 5, 6])).toEqual([0, 1, 2])
})

it('leaves rows that stay where they are, and gives those that come the elements of those that went', () => {
  const before = drawn([
    [4, 0],
    [5, 1],
    [6, 2],
  ])
  expect(reuseElements(before, [6, 7, 8])).toEqual([2, 0, 1])
  expect(reuseElements(before, [70, 71, 72])).toEqual([0, 1, 2])
  expect(reuseElements(before, [4, 70, 71, 72])).toEqual([0, 1, 2, 3])
})

it('never gives an element to two rows, nor another one to a row that stays', () => {
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
