import type { Draft, Saving } from '../draft.svelte.ts'
import { language } from '../../../language/index.ts'
import { spellOut } from '../../load-record.ts'
import type { FormField } from '../to-fields.ts'

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
