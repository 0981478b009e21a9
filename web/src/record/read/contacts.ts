import { pickLanguage, textOf } from './json.ts'
import type { Members } from './json.ts'
import { addressOf } from './pictures.ts'

/** Who can be reached, and where. */
export type Contact = {
  readonly member: string
  readonly name?: string
  readonly person?: string
  readonly street?: string
  readonly town?: string
  readonly country?: string
  readonly phones: readonly string[]
  readonly email?: string
  readonly site?: string
}

/** Members that hold people and houses, and how each part is called in them. */
const holders = ['ContactInfos', 'AccoDetail', 'OrganizerInfos']

/** Those that can be reached, in a language; who is the same in two members is named once. */
export function readContacts(record: Members, language: string): readonly Contact[] {
  const seen = new Set<string>()
  return holders
    .flatMap((member) => toContact(member, pickLanguage(record[member], language)) ?? [])
    .filter(({ member: _, ...said }) => {
      const key = JSON.stringify(said)
      return !seen.has(key) && seen.add(key)
    })
}

function toContact(member: string, held: Members | undefined): Contact | undefined {
  if (held === undefined) return undefined
  const first = (...names: readonly string[]) =>
    names.map((name) => textOf(held[name])).find((text) => text !== undefined)
  const joined = (...parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined).join(' ')
  const said = {
    name: first('CompanyName', 'Name'),
    person: joined(first('Givenname', 'Firstname'), first('Surname', 'Lastname')),
    street: first('Address', 'Street'),
    town: joined(first('ZipCode', 'Zip'), first('City')),
    country: first('CountryName'),
    email: first('Email'),
    site: addressOf(first('Url', 'Website')),
  }
  // Many providers write the same number into both members.
  const numbers = [first('Phonenumber', 'Phone'), first('Mobile')].flatMap((phone) => phone ?? [])
  const phones = [...new Set(numbers)]
  const given = Object.fromEntries(
    Object.entries(said).filter(([, text]) => text !== undefined && text !== ''),
  )
  const reaches = ['street', 'town', 'email', 'site'].some((name) => name in given)
  return reaches || phones.length > 0 ? { member, ...given, phones } : undefined
}

/** A number as it is dialled. */
export function dial(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
