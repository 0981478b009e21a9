import { Type } from 'typebox'
import type { TProperties, TSchema } from 'typebox'
import { form } from '../../../errors/index.ts'
import { orNull } from '../../../lang/schemas.ts'
import { labelled } from '../../presentation.ts'

/**
 * Schemas of the values in records. Each value is optional and may be null: fields without a value
 * are stored as null or left out (reference content.md 7), and no provider sends them all.
 */

const nullable = (schema: Parameters<typeof orNull>[0]) => Type.Optional(orNull(schema))

export const text = nullable(Type.String())
export const flag = nullable(Type.Boolean())
export const number = nullable(Type.Number())
export const integer = nullable(Type.Integer())
export const texts = nullable(Type.Array(Type.String()))
export const integers = nullable(Type.Array(Type.Integer()))

/** Value of fields that one source writes as a number and another as text. */
export const integerOrText = Type.Optional(
  Type.Unsafe<unknown>({ type: ['integer', 'string', 'null'] }),
)

/** Value of fields that used to be a number and are a flag now. */
export const flagOrNumber = Type.Optional(
  Type.Unsafe<unknown>({ type: ['boolean', 'number', 'null'] }),
)

/** Value of fields whose format no source documents. */
export const anything = Type.Optional(Type.Unknown())

// A day or time that does not exist is refused like one in another format, because the database
// cannot compute with it.
const ofMonth = String.raw`(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8])`
const leapYear = String.raw`(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`
const day = String.raw`(?!0000)(\d{4}-(${ofMonth})|${leapYear}-02-29)`
const minutes = String.raw`:[0-5]\d(:[0-5]\d(\.\d+)?)?`
const midnight = String.raw`24:00(:00(\.0+)?)?`
const zone = String.raw`(Z|[+-](0\d|1[0-5]):?[0-5]\d)`

const isoMoment = form(
  `^${day}([T ]((([01]\\d|2[0-3])${minutes})|${midnight})${zone}?)?$`,
  'is not a valid date or time; write it like 2026-11-20 or 2026-11-20T10:15:00Z',
)

/** Date, or date and time. Most sources state no zone; a value without one is in UTC. */
export const moment = nullable(Type.String(isoMoment))
export const moments = nullable(Type.Array(Type.String(isoMoment)))

/** Labelled fields that many entities have, each under its own name. */
export const title = labelled(text, ['Titel', 'Titolo', 'Title'], 'text')
/** Title in a field that has been replaced by another one. */
export const formerTitle = labelled(text, ['Titel', 'Titolo', 'Title'], 'title')
export const name = labelled(text, ['Name', 'Nome', 'Name'], 'text')
export const description = labelled(text, ['Beschreibung', 'Descrizione', 'Description'], 'text')
export const kind = labelled(text, ['Art', 'Tipo', 'Type'], 'kind')
export const begin = labelled(moment, ['Beginn', 'Inizio', 'Begins'], 'from')
export const end = labelled(moment, ['Ende', 'Fine', 'Ends'], 'to')

/** Time of day, `hh:mm` or `hh:mm:ss`; `1.00:00:00` is midnight at the end of the day. */
export const timeOfDay = nullable(
  Type.String(
    form(
      `^(\\d\\.)?((([01]?\\d|2[0-3])${minutes})|${midnight})$`,
      'is not a valid time of day; write it like 10:15',
    ),
  ),
)

/** Returns the schema of an object with these fields, and any others. */
export const object = (members: TProperties) => nullable(Type.Object(members))

/** Returns the schema of an array of objects with these fields, and any others. */
export const list = (members: TProperties) => nullable(Type.Array(Type.Object(members)))

/** Returns the schema of an object keyed by free text. */
export const keyed = (value: TSchema) => nullable(Type.Record(Type.String(), value))

/**
 * Adds a description of what the name of a value does not express: unit, allowed values, meaning.
 */
export const note = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.With(schema, { description })

/** Returns the schema of an object keyed by language. */
export const perLanguage = (value: TSchema) =>
  note(keyed(value), 'Keyed by language code, such as de, it or en')
