import { listOf, membersOf, numberOf, textOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { linkOf, present, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { dateOf } from './opening-hours.ts'
import { addressOf, geoOf, localityOf, nameOf, reachedBy, thingOf } from './parts.ts'
import { entryOf, textIn, textWithin } from './subject.ts'
import type { Subject } from './subject.ts'

/** One event for each of its dates: schema.org knows no event with several (reference content.md 4.3). */
export function toEvents(subject: Subject): readonly LinkedNode[] {
  const { record, address } = subject
  const dates = listOf(record['EventDate'])
  const { geo: _atTheLocation, address: _too, ...thing } = thingOf(subject)
  const shared = { ...thing, ...termsOf(subject) }
  if (dates.length <= 1) return [toEvent(shared, timesOf(record, dates[0]))]
  return dates.map((date, index) => {
    const name = textOf(date['EventDateId']) ?? String(index + 1)
    const times = timesOf(record, date)
    return toEvent({ ...shared, '@id': `${address}#date-${encodeURIComponent(name)}` }, times)
  })
}

/** An event in a house of meetings: it has one date (`EventShort`). */
export function toShortEvents(subject: Subject): readonly LinkedNode[] {
  const { record } = subject
  const { geo, address: _elsewhere, ...thing } = thingOf(subject)
  const location = toNode('Place', {
    name: textOf(record['AnchorVenue']) ?? textOf(record['EventLocation']),
    geo,
  })
  const organizer = toNode('Organization', {
    name: textOf(record['CompanyName']),
    url: linkOf(textOf(record['CompanyUrl'])),
  })
  const titled = textIn(subject, record['EventTitle'])
  const name = textWithin(subject, record['Detail'], 'Title') ?? titled ?? nameOf(subject)
  const times = { startDate: textOf(record['StartDate']), endDate: textOf(record['EndDate']) }
  return [toEvent({ ...thing, name, location, organizer }, times)]
}

function toEvent(
  shared: Readonly<Record<string, unknown>>,
  times: Readonly<Record<string, unknown>>,
): LinkedNode {
  return toNode('Event', { ...shared, ...times }) ?? {}
}

/** Day and time of day stand apart; without a date of its own an event has the days of the record. */
function timesOf(record: Members, date: Members | undefined): Readonly<Record<string, unknown>> {
  const cancelled = 'https://schema.org/EventCancelled'
  return {
    startDate: momentOf(date?.['From'] ?? record['DateBegin'], date?.['Begin']),
    endDate: momentOf(date?.['To'] ?? record['DateEnd'], date?.['End']),
    eventStatus: date?.['IsCancelled'] === true ? cancelled : undefined,
  }
}

function momentOf(day: unknown, time: unknown): string | undefined {
  const date = dateOf(day)
  const clock = textOf(time)
  if (date === undefined) return undefined
  return clock === undefined ? (textOf(day) ?? date) : `${date}T${clock}`
}

/** Where it is, who holds it, and what it costs. */
function termsOf(subject: Subject): Readonly<Record<string, unknown>> {
  const { record } = subject
  const contact = entryOf(subject, record['ContactInfos'])
  const organizer = entryOf(subject, record['OrganizerInfos'])
  const where = textWithin(subject, record['EventAdditionalInfos'], 'Location')
  return {
    location: toNode('Place', {
      name: textOf(contact['CompanyName']) ?? where ?? districtOf(subject),
      address: addressOf(contact) ?? localityOf(subject),
      geo: geoOf(record),
    }),
    organizer: toNode('Organization', {
      name: textOf(organizer['CompanyName']),
      ...reachedBy(organizer),
      address: addressOf(organizer),
    }),
    offers: [...variantsOf(subject), ...pricesOf(subject)],
  }
}

function districtOf(subject: Subject): string | undefined {
  const location = membersOf(subject.record['LocationInfo'])
  return textIn(subject, membersOf(location['DistrictInfo'])['Name'])
}

/** Prices are in euro; the records name no currency. */
const priceCurrency = 'EUR'

function variantsOf(subject: Subject): readonly LinkedNode[] {
  return listOf(subject.record['EventVariants']).flatMap((variant) => {
    const price = numberOf(variant['Price'])
    if (price === undefined) return []
    return present(
      toNode('Offer', { price, priceCurrency, name: textIn(subject, variant['Name']) }),
    )
  })
}

/** The prices of old records: one, keyed by language. */
function pricesOf(subject: Subject): readonly LinkedNode[] {
  const entry = entryOf(subject, subject.record['EventPrice'])
  const price = numberOf(entry['Price'])
  if (price === undefined) return []
  const name = textOf(entry['ShortDesc'])
  const description = textOf(entry['LongDesc']) ?? textOf(entry['Description'])
  return present(toNode('Offer', { price, priceCurrency, name, description }))
}
