import { expect, it } from 'vitest'
import { openRegistry } from './observe-answers.ts'

it('measures the process once, for all hubs in the same process', () => {
  const [one, other] = [openRegistry(), openRegistry()]
  expect(one).not.toBe(other)
  const name = 'nodejs_gc_duration_seconds'
  expect(one.getSingleMetric(name)).toBeDefined()
  expect(one.getSingleMetric(name)).toBe(other.getSingleMetric(name))
})
