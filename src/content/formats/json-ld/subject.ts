import { languages } from '../../representation/index.ts'
import { membersOf, parseRecord, textOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'

/** A record to be told in linked data: its members, its address, and the language to tell it in. */
export type Subject = {
  readonly record: Members
  readonly address: string
  /** The languages to look for, the best first. */
  readonly languages: readonly string[]
}

/** In the wanted language, English where a record lacks it, otherwise what it has. */
export function toSubject(data: string, address: string, language: string | undefined): Subject {
  const wanted = language === undefined ? [] : [language]
  return {
    record: parseRecord(data),
    address,
    languages: [...new Set([...wanted, 'en', ...languages])],
  }
}

/** The entry of a member keyed by language, such as `Detail`: the best one that says something. */
export function entryOf({ languages: codes }: Subject, member: unknown): Members {
  const entries = membersOf(member)
  const found = codes.map((code) => membersOf(entries[code]))
  return found.find((entry) => Object.values(entry).some((value) => textOf(value))) ?? {}
}

/** A text keyed by language, such as `SkiRegionName`. */
export function textIn({ languages: codes }: Subject, member: unknown): string | undefined {
  const entries = membersOf(member)
  return codes.flatMap((code) => textOf(entries[code]) ?? [])[0]
}

/** A text inside the entries of a member keyed by language, such as the titles in `Detail`. */
export function textWithin(subject: Subject, member: unknown, name: string): string | undefined {
  const entries = membersOf(member)
  return subject.languages.flatMap((code) => textOf(membersOf(entries[code])[name]) ?? [])[0]
}
