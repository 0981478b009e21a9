import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { TypeList } from './type-lists/types.ts'

/** A word in German, Italian and English. */
export type Label = readonly [de: string, it: string, en: string]

/** What a field, or a structure, is in a record, whatever its name is there. */
export type Role =
  | 'title'
  | 'introduction'
  | 'text'
  | 'texts'
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
  | 'contact'
  | 'picture'
  | 'position'
  | 'shape'
  | 'opening'
  | 'dates'
  | 'location'
  | 'related'
  | 'tag'
  | 'terms'
  | 'id'
  | 'address'
  | 'name'
  | 'meta'
  | 'language'
  | 'imported'
  | 'publisher'

/** What a field is in the structure that holds it: in a contact, a picture, a place, opening times. */
export type Part =
  | 'id'
  | 'type'
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'street'
  | 'postcode'
  | 'town'
  | 'country'
  | 'phone'
  | 'mobile'
  | 'email'
  | 'site'
  | 'url'
  | 'alt'
  | 'caption'
  | 'title'
  | 'width'
  | 'height'
  | 'position'
  | 'author'
  | 'holder'
  | 'licence'
  | 'closed'
  | 'latitude'
  | 'longitude'
  | 'altitude'
  | 'kind'
  | 'shape'
  | 'start'
  | 'end'
  | 'startTime'
  | 'endTime'
  | 'repeats'
  | 'hours'
  | 'state'
  | 'code'
  | 'language'
  | 'monday'
  | 'tuesday'
  | 'wednesday'
  | 'thursday'
  | 'friday'
  | 'saturday'
  | 'sunday'

/** How a field is shown to people. */
export type Presentation = {
  readonly label?: Label
  readonly role?: Role
  /** What it is in the structure that holds it. */
  readonly part?: Part
  /** Entity of the records whose identifiers it holds. */
  readonly entity?: string
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

/** A field, or a structure, whose role says enough. */
export const withRole = <Schema extends TSchema>(schema: Schema, role: Role) =>
  present(schema, { role })

/** A field of a structure. */
export const part = <Schema extends TSchema>(schema: Schema, own: Part) =>
  present(schema, { part: own })

/** Identifiers of records of an entity. */
export const refersTo = <Schema extends TSchema>(schema: Schema, entity: string) =>
  present(schema, { entity })

/** A number in a unit. */
export const measured = <Schema extends TSchema>(schema: Schema, unit: string) =>
  present(schema, { unit })

/** How people choose by a parameter; a parameter without it is for programs only. */
export type Choice = {
  readonly label: Label
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
