import { fieldsOf, listOf, numberOf, textOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { dayAfter } from '../../filters/values.ts'
import {
  addressOf,
  dateOf,
  entryOf,
  geoOf,
  linkOf,
  localityOf,
  nameOf,
  present,
  reachedBy,
  textIn,
  textWithin,
  thingOf,
  toNode,
} from './parts.ts'
import type { LinkedNode, Subject } from './parts.ts'

/**
 * Describes an event as one node for each of its dates, because a schema.org event cannot have
 * several (reference content.md 4.3).
 */
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

/** Describes an event in a conference venue, which has one date (`EventShort`). */
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

/**
 * Returns the times of an event. Day and time of day are separate fields. An event without a date
 * of its own has the days of the record.
 */
function timesOf(record: Members, date: Members | undefined): Readonly<Record<string, unknown>> {
  const cancelled = 'https://schema.org/EventCancelled'
  const startDate = momentOf(date?.['From'] ?? record['DateBegin'], date?.['Begin'])
  const endDate = momentOf(date?.['To'] ?? record['DateEnd'], date?.['End'])
  return {
    startDate,
    endDate: notBefore(startDate, endDate, date?.['End']),
    eventStatus: date?.['IsCancelled'] === true ? cancelled : undefined,
  }
}

/**
 * Returns the end of an event. An end before the begin on the same day is on the next one, or has
 * no known time if none is stated.
 */
function notBefore(
  begin: string | undefined,
  end: string | undefined,
  time: unknown,
): string | undefined {
  const day = end?.slice(0, 10)
  const isSameDay = day !== undefined && begin?.startsWith(day) === true
  if (!isSameDay || end === undefined || end.slice(0, 16) >= begin.slice(0, 16)) return end
  return textOf(time) === undefined ? day : end.replace(day, dayAfter(day) ?? day)
}

function momentOf(day: unknown, time: unknown): string | undefined {
  const date = dateOf(day)
  const clock = textOf(time)
  if (date === undefined) return undefined
  if (clock === undefined) return textOf(day) ?? date
  // A time of day may have an hour of one digit.
  return `${date}T${clock.replace(/^\d:/, '0$&')}`
}

/** Returns the location, the organizer and the prices of an event. */
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
    offers: offersOf(subject),
  }
}

/** Returns the prices of an event. The old field of one price often repeats the first variant. */
function offersOf(subject: Subject): readonly LinkedNode[] {
  const variants = variantsOf(subject)
  return variants.length > 0 ? variants : pricesOf(subject)
}

function districtOf(subject: Subject): string | undefined {
  const location = fieldsOf(subject.record['LocationInfo'])
  return textIn(subject, fieldsOf(location['DistrictInfo'])['Name'])
}

/** Currency of all prices, which are in euros. The records state no currency. */
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

function pricesOf(subject: Subject): readonly LinkedNode[] {
  const entry = entryOf(subject, subject.record['EventPrice'])
  const price = numberOf(entry['Price'])
  if (price === undefined) return []
  const name = textOf(entry['ShortDesc'])
  const description = textOf(entry['LongDesc']) ?? textOf(entry['Description'])
  return present(toNode('Offer', { price, priceCurrency, name, description }))
}
