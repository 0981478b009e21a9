import fc from 'fast-check'
import { deepStrictEqual } from 'node:assert/strict'
import { datex3Exits } from '../../src/standards/datex3/routes.ts'
import type { Built, Exit } from '../../src/standards/keep-exit.ts'
import type { CurrentStations } from '../../src/timeseries/index.ts'
import { atOnce } from '../../src/async/index.ts'
import { document3Steps } from '../../src/traffic/feed-document.ts'
import { toPublication } from '../../src/traffic/index.ts'
import { supplier } from '../contract/datex/an-event.ts'
import { anyEvent } from '../contract/datex/arbitrary-events.ts'
import { anyStations } from '../contract/datex/arbitrary-stations.ts'
import { expectedJson } from '../contract/datex/expected-json.ts'
import { readXml } from '../contract/datex/xml-tree.ts'
import { assertValidDatex3 } from '../fixtures/datex3-schema.ts'

/** Asserts that the JSON of a publication has exactly the content of its XML. */
function assertSame(xml: string, json: string): void {
  deepStrictEqual(JSON.parse(json), expectedJson(readXml(xml)))
}

/** Stations per document: enough to be related, few enough for a short counterexample. */
const together = 10

export const exits = datex3Exits({ country: 'it', language: 'it' })

export function buildExit({ build }: Pick<Exit, 'build'>, current: CurrentStations): Built {
  const now = new Date('2026-11-20T12:30:00Z')
  return atOnce(build(current, { now, before: new Map() }))
}

/**
 * Publishes random events as DATEX II v3 and validates every document against its schemas.
 * @returns the number of events that became situations
 * @throws Error with the events of the first invalid document
 */
export function fuzzDatex3Events(events: number): number {
  const now = new Date('2026-06-01T12:00:00Z')
  const some = fc.array(anyEvent(), { minLength: together, maxLength: together })
  let situations = 0
  fc.assert(
    fc.property(some, (given) => {
      const publication = toPublication(given, { supplier, now })
      const { xml, json } = atOnce(document3Steps(publication, supplier))
      assertValidDatex3(xml)
      assertSame(xml, json)
      // No situation is lost in the conversion from v2.
      const written = xml.split('<sit:situation ').length - 1
      if (written !== publication.situations) throw new Error('A situation is missing.')
      situations += written
    }),
    { numRuns: Math.ceil(events / together) },
  )
  return situations
}

/**
 * Publishes random stations and validates every document against the schemas of DATEX II v3.
 * @returns the number of stations that were published
 * @throws Error with the stations of the first invalid document
 */
export function fuzzDatex3Stations(stations: number): number {
  let published = 0
  fc.assert(
    fc.property(anyStations(together), (current) => {
      for (const exit of exits) {
        const built = buildExit(exit, current)
        published += built.published
        for (const [key, { body }] of built.documents) {
          if (key.endsWith('#json')) continue
          assertValidDatex3(body)
          assertSame(body, built.documents.get(key.replace(/#xml$/, '#json'))?.body ?? '')
        }
      }
    }),
    { numRuns: Math.ceil(stations / together) },
  )
  return published
}
