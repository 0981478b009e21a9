import type { Scalar } from './ast.ts'

type ScalarKind = Scalar['kind']

/** What a value of the database can be compared with. */
export type TargetKind =
  | 'text'
  | 'boolean'
  | 'number'
  | 'time'
  /** A whole JSON document: it is there or not. */
  | 'json'
  /** What stands at a path inside JSON: anything. */
  | 'path'
  /** A measured value: a number or a text. */
  | 'value'
  | 'geometry'

const equality = ['eq', 'neq']
const comparisons = [...equality, 'lt', 'gt', 'lteq', 'gteq']
export const patterns = ['re', 'ire', 'nre', 'nire']
export const memberships = ['in', 'nin']
export const places = ['bbi', 'bbc', 'dlt']

/** Which operators a single value can stand behind (reference 2.4). */
export const operatorsOf: Readonly<Record<ScalarKind, readonly string[]>> = {
  null: equality,
  boolean: equality,
  number: comparisons,
  time: comparisons,
  text: [...equality, ...patterns],
}

/** Which values each target can be compared with; null goes with all of them (reference 2.4). */
export const comparable: Readonly<Record<TargetKind, readonly ScalarKind[]>> = {
  text: ['text'],
  boolean: ['boolean'],
  number: ['number'],
  time: ['time'],
  json: [],
  path: ['text', 'number', 'boolean'],
  value: ['number', 'text'],
  geometry: [],
}

/** For messages. */
export const kindNames: Readonly<Record<ScalarKind, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  time: 'a time',
  text: 'a text',
}

export const targetNames: Readonly<Record<TargetKind, string>> = {
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  time: 'a time',
  json: 'a JSON object: a condition names a member, such as {name}.city, or null',
  path: 'a text, a number, true or false',
  value: 'a number or a text',
  geometry: 'a place: bbi, bbc and dlt take a list of numbers',
}
