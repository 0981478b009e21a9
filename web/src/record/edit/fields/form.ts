import type { Fault } from '../../../api/index.ts'
import type { Draft, Saving } from '../draft.svelte.ts'
import { formatNumber, language } from '../../../language/index.ts'
import { spellOut } from '../../load-record.ts'
import type { FormField } from '../to-fields.ts'
import { words } from '../words.ts'

/** Context that all fields of a form share. */
export type Form = {
  readonly draft: Draft
  readonly saving: Saving
  /** Codes of the displayed languages. */
  readonly languages: readonly string[]
  /** Reports whether the hub generates the field at a path from others. */
  readonly isGenerated: (path: string) => boolean
  /** Returns the paths of deprecated fields that are written together with the one at a path. */
  readonly writtenWith: (path: string) => readonly string[]
  /** Tags to choose from. */
  readonly tags: readonly { readonly value: string; readonly label: string }[]
}

/** Returns the label of a field, with the unit of its numbers. */
export function labelOf({ name, member: { label, unit } }: FormField): string {
  const own = label?.[language.current] ?? spellOut(name)
  return unit === null ? own : `${own} (${unit})`
}

/**
 * Translates an error about limits or numbers, which the hub states in the terms of JSON Schema.
 * Other errors are shown unchanged.
 */
export function sayFault({ detail, expected = [] }: Pick<Fault, 'detail' | 'expected'>): string {
  const [, sign, limit] = /^must be ([<>])= (-?[\d.]+)$/.exec(detail) ?? []
  const { most, least, number } = words().faults
  if (sign !== undefined) return (sign === '<' ? most : least)(formatNumber(Number(limit)))
  return expected.includes('number') ? number : detail
}
