import { expect, it } from 'vitest'
import { toRestored } from './to-restored.ts'

it('leaves out what the hub generated, so that it is generated anew', () => {
  const meta = { _Meta: { Generated: ['GpsPoints', 'Dates.Place'] } }
  const version = { Id: 'A', GpsPoints: {}, Dates: [{ Place: 1, From: 2 }], ...meta }
  expect(toRestored(version)).toEqual({ Id: 'A', Dates: [{ From: 2 }], ...meta })
})
