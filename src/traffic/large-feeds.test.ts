import { expect, it } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { turnsOfCompiler, turnsTooLong } from '../../test/fixtures/large-answers.ts'
import { inSlices } from '../async/index.ts'
import { toFeedDocument } from './feed-document.ts'
import { publicationSteps } from './publication.ts'

const now = new Date('2026-06-01T12:00:00Z')

it('writes thousands of situations as DATEX II v3 and GeoJSON without long blocking', async () => {
  const events = Array.from({ length: 5000 }, (_, number) =>
    anEvent({ series: String(number), uuid: String(number) }),
  )
  const publication = await inSlices(publicationSteps(events, { supplier, now }))
  const history = { known: [], changes: new Map() }
  const write = async () => {
    const document = toFeedDocument(publication, { previous: undefined, supplier, history })
    const { xml } = await document.version3()
    const { contentType } = await document.geojson()
    return [xml.contentType, contentType]
  }
  expect(await write()).toEqual(['application/xml; charset=utf-8', 'application/geo+json'])
  expect(await turnsTooLong(write)).toBeLessThanOrEqual(turnsOfCompiler)
}, 60_000)
