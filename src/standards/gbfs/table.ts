import type { Wrong } from '../../definitions/index.ts'
import { suggest } from '../../lang/index.ts'
import { fieldsOf, isObject } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import { sourceFaults, valuesOf } from '../source.ts'
import type { Source } from '../source.ts'
import type { Form, Kind, Written } from './kinds.ts'

/** A field of the standard, under its name in version 3.0. */
export type Field = {
  readonly kind: Kind
  readonly required?: true
  /** Value for stations and vehicles that state none. */
  readonly fallback?: boolean
  /**
   * Name in version 2.3; null if the field does not exist there. If omitted, it is the same as in
   * 3.0.
   */
  readonly in23?: string | null
}

/**
 * Fields by name. They determine how both versions are printed, and how files and data are read.
 */
export type Table = Readonly<Record<string, Field>>

export type Values = Readonly<Record<string, Written>>

/** Prints fields in the order of their table. */
export function printFields(table: Table, values: Values, form: Form): Members {
  const printed = Object.entries(table).flatMap(([name, { in23 }]) => {
    const own = form.version === '3.0' ? name : in23 === undefined ? name : in23
    const value = values[name]
    return value === undefined || own === null ? [] : [[own, value(form)] as const]
  })
  return Object.fromEntries(printed)
}

/** Checks an object in a system's file. */
export function fieldFaults(
  table: Table,
  written: unknown,
  languages: readonly string[],
): readonly Wrong[] {
  if (!isObject(written)) return [{ path: [], reason: 'must be an object' }]
  const faults = Object.entries(table).flatMap(([name, { kind, required }]) => {
    const value = written[name]
    if (value === undefined)
      return required === true ? [{ path: [name], reason: 'is required' }] : []
    const isGood = kind.read(value, languages) !== undefined
    return isGood ? [] : [{ path: [name], reason: `must be ${kind.expected}` }]
  })
  return [...unknownFields(table, written), ...faults]
}

/** Checks the sources of fields. */
export function fieldSourceFaults(table: Table, written: unknown): readonly Wrong[] {
  if (!isObject(written)) return [{ path: [], reason: 'must be an object' }]
  const faults = Object.entries(table).flatMap(([name, { required }]) => {
    const value = written[name]
    if (value === undefined)
      return required === true ? [{ path: [name], reason: 'is required' }] : []
    return sourceFaults(value).map(({ path, reason }) => ({ path: [name, ...path], reason }))
  })
  return [...unknownFields(table, written), ...faults]
}

function unknownFields(table: Table, written: Members): readonly Wrong[] {
  const known = Object.keys(table)
  const unknown = Object.keys(written).filter((name) => !known.includes(name))
  return unknown.map((name) => ({
    path: [name],
    reason: `is not a known field; ${suggest(name, known, `known: ${known.join(', ')}`)}`,
  }))
}

/** Reads the values of an object without faults. */
export function readFields(table: Table, written: Members, languages: readonly string[]): Values {
  return fill(table, (name, { kind }) => kind.read(written[name], languages))
}

/** Reads the values of a station. Each field gets the first valid value of its source. */
export function takeFields(
  table: Table,
  sources: Readonly<Record<string, Source>>,
  {
    station,
    languages,
  }: { readonly station: CurrentStation; readonly languages: readonly string[] },
): Values {
  return fill(table, (name, { kind, fallback }) => {
    const source = sources[name]
    const given = source === undefined ? [] : valuesOf(source, station)
    for (const value of given) {
      const read = kind.read(value, languages)
      if (read !== undefined) return read
    }
    return fallback === undefined ? undefined : () => fallback
  })
}

function fill(table: Table, find: (name: string, field: Field) => Written | undefined): Values {
  const found = Object.entries(table).flatMap(([name, field]) => {
    const value = find(name, field)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** Creates a kind for an object with the fields of a table. */
export function objectOf(table: Table): Kind {
  const expected = `an object with ${Object.keys(table).join(', ')}`
  return {
    expected,
    read: (given, languages) => {
      if (fieldFaults(table, given, languages).length > 0) return undefined
      const values = readFields(table, fieldsOf(given), languages)
      return (form) => printFields(table, values, form)
    },
  }
}
