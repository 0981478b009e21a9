import { selectFields } from '../fields/select-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import type { LoadedRecord } from '../formats/index.ts'
import { membersOf, parseRecord, textOf } from '../formats/record-members.ts'
import type { Members } from '../formats/record-members.ts'
import type { Entity } from '../entity.ts'
import { languages, reduceLanguage } from '../representation/reduce-language.ts'
import { removeNullValues } from '../representation/remove-null-values.ts'

/** What is shown of each record that was found. */
export type Shown = {
  readonly language: string | undefined
  readonly fields: readonly FieldPath[]
  readonly removeNullValues: boolean
}

/** Without a language, the title is shown in the first of these that it has. */
const preferred = [
  'en',
  'de',
  'it',
  ...languages.filter((code) => !['en', 'de', 'it'].includes(code)),
]

type Of = { readonly entity: Entity; readonly self: string; readonly shown: Shown }

/** A flat item: identifier, title, type and address, and the fields that were asked for (decision D36). */
export function toItem({ id, data }: LoadedRecord, { entity, self, shown }: Of): unknown {
  const { language, fields } = shown
  const text = language === undefined ? data : reduceLanguage(data, language)
  const record = { ...parseRecord(text), Self: self }
  const [name, title] = titleOf(record, entity, language === undefined ? preferred : [language])
  const item = {
    Id: id,
    [name]: title,
    '_Meta.Type': entity.type,
    Self: self,
    ...selectFields(record, fields),
  }
  return shown.removeNullValues ? removeNullValues(item) : item
}

/** The path of the title, and what stands there: null where there is none. */
function titleOf(
  record: Members,
  { titles }: Entity,
  wanted: readonly string[],
): readonly [string, string | null] {
  const paths = titles.flatMap((title) =>
    title.includes('*') ? wanted.map((language) => title.replace('*', language)) : [title],
  )
  for (const path of paths) {
    const title = textOf(
      path.split('.').reduce<unknown>((value, name) => membersOf(value)[name], record),
    )
    if (title !== undefined) return [path, title]
  }
  return [paths[0] ?? 'Shortname', null]
}
