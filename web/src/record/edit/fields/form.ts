import type { Fault } from '../../../api/index.ts'
import type { Draft, Saving } from '../draft.svelte.ts'
import { formatNumber, language } from '../../../language/index.ts'
import { spellOut } from '../../load-record.ts'
import type { FormField } from '../to-fields.ts'
import { words } from '../words.ts'

/** What the fields of a form have in common. */
export type Form = {
  readonly draft: Draft
  readonly saving: Saving
  /** Codes of the languages that are shown. */
  readonly languages: readonly string[]
  /** Whether the hub makes the field at a path from others. */
  readonly isGenerated: (path: string) => boolean
  /** Paths of the deprecated fields that are written with the one at a path. */
  readonly writtenWith: (path: string) => readonly string[]
  /** Tags to choose of. */
  readonly tags: readonly { readonly value: string; readonly label: string }[]
}

/** What a field is called, with the unit of its numbers. */
export function labelOf({ name, member: { label, unit } }: FormField): string {
  const own = label?.[language.current] ?? spellOut(name)
  return unit === null ? own : `${own} (${unit})`
}

/** What is allowed, where the hub says it in the words of JSON Schema; else what the hub says. */
export function sayFault({ detail, expected = [] }: Pick<Fault, 'detail' | 'expected'>): string {
  const [, sign, limit] = /^must be ([<>])= (-?[\d.]+)$/.exec(detail) ?? []
  const { most, least, number } = words().faults
  if (sign !== undefined) return (sign === '<' ? most : least)(formatNumber(Number(limit)))
  return expected.includes('number') ? number : detail
}
