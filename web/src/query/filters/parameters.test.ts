import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chosenBy, valueFor } from './parameters.ts'

const options = Array.from({ length: 40 }, (_, index) => ({
  id: String(2 ** index),
  code: '',
  title: {},
}))

it.each(['bits', 'ids'] as const)('reads exactly the chosen options from a value of %s', (kind) => {
  fc.assert(
    fc.property(fc.subarray(options), (some) => {
      const chosen = some.map(({ id }) => id)
      expect(chosenBy({ kind }, valueFor({ kind }, chosen), options)).toEqual(chosen)
    }),
  )
})
