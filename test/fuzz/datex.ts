import fc from 'fast-check'
import { toPublication } from '../../src/traffic/index.ts'
import { anyEvent } from '../contract/datex/arbitrary-events.ts'
import { supplier } from '../contract/datex/an-event.ts'
import { assertValidDatex } from '../fixtures/datex-schema.ts'

/** Events per document: enough for duplicate ids, few enough for a short counterexample. */
const together = 10

/**
 * Publishes random events and validates every document against the DATEX II schema.
 * @throws Error with the events of the first invalid document
 */
export function fuzzDatex(events: number): void {
  const now = new Date('2026-06-01T12:00:00Z')
  const some = fc.array(anyEvent(), { minLength: together, maxLength: together })
  fc.assert(
    fc.property(some, (given) => {
      assertValidDatex(toPublication(given, { supplier, now }).xml)
    }),
    { numRuns: Math.ceil(events / together) },
  )
}
