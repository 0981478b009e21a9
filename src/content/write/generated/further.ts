import { objectsOf, pickPerLanguage, textOf } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

/** The name of a webcam before `Detail` (reference content.md 7.7). */
export const webcamName: GeneratorFor = (entity) => {
  if (!has(entity, 'Webcamname', 'Detail')) return undefined
  return ({ record, give }) => {
    give(['Webcamname'], pickPerLanguage(record['Detail'], 'Title'))
  }
}

/** The identifier at the booking portal before there were several portals (reference content.md 7.1). */
export const bookingId: GeneratorFor = (entity) => {
  if (!has(entity, 'HgvId', 'AccoBookingChannel')) return undefined
  return ({ record, give }) => {
    const channel = objectsOf(record['AccoBookingChannel']).find(({ Id }) => Id === 'hgv')
    give(['HgvId'], textOf(channel?.['BookingId']))
  }
}
