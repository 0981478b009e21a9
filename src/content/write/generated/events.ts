import { isAbsent, isObject, objectsOf, pickPerLanguage, textOf } from './draft.ts'
import type { Members } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

/** Members of events that are properties, variants, dates and addresses now (interface 9.1). */
export const eventOfOld: GeneratorFor = (entity) => {
  if (!has(entity, 'EventProperty', 'EventVariants', 'EventDate')) return undefined
  return ({ record, give, replace }) => {
    const { EventProperty, EventUrls, EventVariants } = record
    if (isObject(EventProperty)) {
      give(['Ticket'], toDigit(EventProperty['TicketRequired']))
      give(['SignOn'], toDigit(EventProperty['RegistrationRequired']))
    }
    give(['EventPrice'], pricesOf(objectsOf(EventVariants)))
    give(['EventBooking'], bookingOf(objectsOf(EventUrls)))
    const dates = objectsOf(record['EventDate'])
    if (dates.length === 0) return
    give(
      ['EventDatesBegin'],
      dates.flatMap(({ From }) => textOf(From) ?? []),
    )
    give(
      ['EventDatesEnd'],
      dates.flatMap(({ To }) => textOf(To) ?? []),
    )
    give(['EventDateCounter'], dates.length)
    if (dates.some(({ EventCalculatedDay }) => !isAbsent(EventCalculatedDay))) return
    replace(['EventDate'], 'EventCalculatedDay', withFirstDay)
  }
}

/** Flags of events were the texts 1 and 0. */
function toDigit(flag: unknown): string | undefined {
  if (typeof flag !== 'boolean') return undefined
  return flag ? '1' : '0'
}

/** The standard price in each language that it has a name in. */
function pricesOf(variants: readonly Members[]): Members | undefined {
  const standard = variants.find(({ IsStandard }) => IsStandard === true) ?? variants[0]
  if (typeof standard?.['Price'] !== 'number' || !isObject(standard['Name'])) return undefined
  const { Price, VariantId = null } = standard
  const toPrice = (language: string, ShortDesc: unknown): Members => ({
    Language: language,
    Price,
    ShortDesc,
    VarRID: VariantId,
  })
  const names = Object.entries(standard['Name'])
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map(([language, name]) => [language, toPrice(language, name)]))
}

function bookingOf(urls: readonly Members[]): Members | undefined {
  const booking = urls.find(({ Type }) => Type === 'bookingUrl')
  if (!isObject(booking?.['Url'])) return undefined
  const addresses = Object.entries(booking['Url']).map(([language, url]) => [
    language,
    { Url: url },
  ])
  return { BookingUrl: Object.fromEntries(addresses), BookingActive: booking['Active'] ?? null }
}

function withFirstDay(date: Members): Members {
  const [first] = objectsOf(date['EventCalculatedDays'])
  return first === undefined ? date : { ...date, EventCalculatedDay: first }
}

/** Titles and texts of short events before `Detail` (reference content.md 7.5). */
export const shortEventOfOld: GeneratorFor = (entity) => {
  if (!has(entity, 'EventTitle', 'EventText', 'EventDocument')) return undefined
  return ({ record, give }) => {
    const titles = pickPerLanguage(record['Detail'], 'Title')
    const texts = pickPerLanguage(record['Detail'], 'BaseText')
    give(['EventTitle'], titles)
    give(['EventText'], texts)
    give(['EventDescription'], titles?.['de'] ?? titles?.['en'] ?? titles?.['it'])
    for (const language of ['de', 'it', 'en']) {
      give([`EventDescription${language.toUpperCase()}`], titles?.[language])
      give([`EventText${language.toUpperCase()}`], texts?.[language])
    }
    const documents = documentsOf(record['Documents'])
    if (documents.length > 0) give(['EventDocument'], documents)
  }
}

function documentsOf(perLanguage: unknown): readonly Members[] {
  if (!isObject(perLanguage)) return []
  return Object.entries(perLanguage).flatMap(([language, documents]) =>
    objectsOf(documents).map(({ DocumentURL }) => ({
      DocumentURL: DocumentURL ?? null,
      Language: language,
    })),
  )
}
