import type { Member } from '../../api/index.ts'
import { addressOf, eachOnce } from './json.ts'
import { structuresOf } from './structures.ts'
import type { Described, Structure } from './structures.ts'

/** A person or organization with its contact details. */
export type Contact = {
  readonly path: string
  readonly label: Member['label']
  readonly name: string | undefined
  readonly person: string
  readonly street: string | undefined
  readonly town: string
  readonly country: string | undefined
  readonly phones: readonly string[]
  readonly email: string | undefined
  readonly site: string | undefined
}

/**
 * Returns the contacts that can be reached, in a language. A contact in two fields is returned
 * once.
 */
export function readContacts(of: Described, language: string): readonly Contact[] {
  const found = structuresOf(of, ['contact'], language).map(toContact)
  const reachable = found.filter(
    ({ street, town, email, site, phones }) =>
      [street ?? '', town, email ?? '', site ?? ''].some(Boolean) || phones.length > 0,
  )
  return eachOnce(reachable, ({ path: _, label: __, ...said }) => JSON.stringify(said))
}

function toContact({ path, label, text }: Structure): Contact {
  const texts = (...parts: readonly string[]) => parts.flatMap((part) => text(part) ?? [])
  return {
    ...{ path, label, name: text('name'), street: text('street'), country: text('country') },
    person: texts('givenName', 'familyName').join(' '),
    town: texts('postcode', 'town').join(' '),
    // Many providers write the same number into both fields.
    phones: [...new Set(texts('phone', 'mobile'))],
    ...{ email: text('email'), site: addressOf(text('site')) },
  }
}

/** Returns the `tel:` URL of a phone number. */
export function dial(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
