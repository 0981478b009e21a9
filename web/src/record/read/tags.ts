import { isMembers, listOf, textOf } from './json.ts'
import type { Members } from './json.ts'

/** A word that a record is filed under. */
export type Tag = { readonly id: string; readonly name: string }

/** All tags of a record, each once: with their names where the record has them. */
export function readTags(record: Members): readonly Tag[] {
  const whole = listOf(record['Tags'])
    .filter(isMembers)
    .flatMap((tag) => {
      const id = textOf(tag['Id'])
      return id === undefined ? [] : [{ id, name: textOf(tag['Name']) ?? id }]
    })
  const alone = [...listOf(record['TagIds']), ...listOf(record['SmgTags'])].flatMap((value) => {
    const id = textOf(value)
    return id === undefined ? [] : [{ id, name: id }]
  })
  const seen = new Set<string>()
  return [...whole, ...alone].filter(({ id }) => !seen.has(id) && seen.add(id))
}
