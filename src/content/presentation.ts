import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { TypeList } from './type-lists/types.ts'

/** A word in German, Italian and English. */
export type Label = readonly [de: string, it: string, en: string]

/** What a field is in a record, whatever its name is there. */
export type Role =
  | 'title'
  | 'introduction'
  | 'text'
  | 'image'
  | 'kind'
  | 'from'
  | 'to'
  | 'municipality'
  | 'source'
  | 'licence'
  | 'status'
  | 'changed'
  | 'place'

/** How a field is shown to people. */
export type Presentation = {
  readonly label?: Label
  readonly role?: Role
  /** Symbol of the unit of measurement, such as m. */
  readonly unit?: string
}

/** The mark is no keyword of JSON Schema: validators and OpenAPI do not see it. */
const mark = Symbol('presentation')

type Presented = TSchema & { readonly [mark]?: Presentation }

export const presentationOf = (schema: Presented): Presentation => schema[mark] ?? {}

const present = <Schema extends TSchema>(schema: Schema, own: Presentation) =>
  Type.With(schema, { [mark]: { ...presentationOf(schema), ...own } })

/** A field with the words and the role in which it is shown. */
export const labelled = <Schema extends TSchema>(schema: Schema, label: Label, role?: Role) =>
  present(schema, role === undefined ? { label } : { label, role })

/** A number in a unit. */
export const measured = <Schema extends TSchema>(schema: Schema, unit: string) =>
  present(schema, { unit })

/** How people choose by a parameter; a parameter without it is for programs only. */
export type Choice = {
  readonly label: Label
  /** Path of the field that it filters by. */
  readonly field: string
  /** `bits`: a sum of the bits of types; `ids`: identifiers with commas. */
  readonly kind: 'date' | 'flag' | 'range' | 'bits' | 'ids'
  /** Of the bounds of a range. */
  readonly unit?: string
  /** What can be chosen, of `bits` and `ids`. */
  readonly types?: Pick<TypeList, 'masks' | 'tagged'>
  /** The same, where it is places: their entity, and what stands before their ids. */
  readonly places?: { readonly entity: string; readonly prefix: string }
  /** Whether exactly the records with its code in the field match a value: then `groupby` counts them. */
  readonly isCounted?: boolean
}

/** What a filter states of its choice; the rest follows from what the filter is. */
export type Choosing = Pick<Choice, 'label' | 'field' | 'isCounted'>

/** As answers have it. */
export const inLanguages = ([de, it, en]: Label) => ({ de, it, en })
