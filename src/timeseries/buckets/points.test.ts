import { array, assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { mergeByTime } from './points.ts'

function merged(lists: readonly (readonly (readonly string[])[])[]) {
  const steps = mergeByTime(lists)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

it('Merged rows equal those of a stable sort', () => {
  const times = array(integer({ min: 10, max: 40 }), { maxLength: 50 })
  assert(
    property(array(times, { maxLength: 9 }), (unordered) => {
      const lists = unordered.map((list, name) =>
        list.toSorted((one, other) => one - other).map((time) => [String(time), String(name)]),
      )
      const sorted = lists.flat().toSorted(([one], [other]) => Number(one) - Number(other))
      expect(merged(lists)).toEqual(sorted)
    }),
  )
})
