import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { TypeList } from './type-lists/types.ts'

/** A display text in German, Italian and English. */
export type Label = readonly [de: string, it: string, en: string]

/** Meaning of a field or a structure in a record, whatever its name. */
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

/** Meaning of a field within its structure: a contact, a picture, a place, opening times. */
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

/** How a user interface presents a field. */
export type Presentation = {
  readonly label?: Label
  readonly role?: Role
  /** Meaning of the field within its structure. */
  readonly part?: Part
  /** Entity of the records that the field refers to by identifier. */
  readonly entity?: string
  /** Symbol of the unit of measurement, such as m. */
  readonly unit?: string
}

/**
 * Key of the presentation in a schema. A symbol and not a keyword of JSON Schema, so that
 * validators and OpenAPI do not see it.
 */
const mark = Symbol('presentation')

type Presented = TSchema & { readonly [mark]?: Presentation }

export const presentationOf = (schema: Presented): Presentation => schema[mark] ?? {}

const present = <Schema extends TSchema>(schema: Schema, own: Presentation) =>
  Type.With(schema, { [mark]: { ...presentationOf(schema), ...own } })

/** Adds a label and an optional role to the schema of a field. */
export const labelled = <Schema extends TSchema>(schema: Schema, label: Label, role?: Role) =>
  present(schema, role === undefined ? { label } : { label, role })

/** Adds a role to the schema of a field or structure that needs no label. */
export const withRole = <Schema extends TSchema>(schema: Schema, role: Role) =>
  present(schema, { role })

/** Adds the meaning of a field within its structure to its schema. */
export const part = <Schema extends TSchema>(schema: Schema, own: Part) =>
  present(schema, { part: own })

/** Marks the schema of a field that holds identifiers of an entity's records. */
export const refersTo = <Schema extends TSchema>(schema: Schema, entity: string) =>
  present(schema, { entity })

/** Adds the unit of a number to its schema. */
export const measured = <Schema extends TSchema>(schema: Schema, unit: string) =>
  present(schema, { unit })

/** How a user interface offers a parameter. Parameters without it are for programs only. */
export type Choice = {
  readonly label: Label
  readonly field: string
  /** `bits`: the sum of the bits of the chosen types; `ids`: comma-separated identifiers. */
  readonly kind: 'date' | 'flag' | 'range' | 'bits' | 'ids'
  /** Unit of the bounds of a range. */
  readonly unit?: string
  /** Values to choose from, for `bits` and `ids`. */
  readonly types?: Pick<TypeList, 'masks' | 'tagged'>
  /** Places to choose from: their entity, and the prefix before their identifiers. */
  readonly places?: { readonly entity: string; readonly prefix: string }
  /**
   * Whether a value matches exactly the records with its code in `field`. Then `groupby` can count
   * them.
   */
  readonly isCounted?: boolean
}

/** The properties of a choice that a filter states; the others follow from the kind of filter. */
export type Choosing = Pick<Choice, 'label' | 'field' | 'isCounted'>

/** Converts a label to an object by language, as in responses. */
export const inLanguages = ([de, it, en]: Label) => ({ de, it, en })
