import { isObject } from '../../api/failure.ts'
import { hasZone, readTime } from '../../language/zoned.ts'
import type { Column } from './column.ts'
import { dataTypeOf, fieldsOf } from './column.ts'

/** Content of a cell. */
export type Cell =
  | { readonly kind: 'nothing' }
  /** `lang` is set only if the text is in another language than the preferred one. */
  | { readonly kind: 'text'; readonly text: string; readonly lang?: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'time'
      readonly at: Date
      readonly hasTime: boolean
      readonly isLocal: boolean
      /**
       * For `datetime` attributes and copies. A day, or a time without a zone, keeps its original
       * text.
       */
      readonly written: string
    }
  | { readonly kind: 'image'; readonly src: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'place'; readonly latitude: number; readonly longitude: number }
  | { readonly kind: 'list'; readonly cells: readonly Cell[] }
  | { readonly kind: 'json'; readonly text: string }
  | {
      readonly kind: 'value'
      readonly value: number | string
      readonly unit: string
      readonly at: string
      readonly isOld: boolean
    }

/** A row of the table: fields by path; for stations also the latest values by data type. */
export type Item = Readonly<Record<string, unknown>>

/** Key under which a row holds the latest values of its station. */
export const latestKey = '@'

const nothing = { kind: 'nothing' } as const

/** Converts the value of a record in a column to a cell. `languages` are in order of preference. */
export function toCell(item: Item, column: Column, languages: readonly string[]): Cell {
  const dataType = dataTypeOf(column)
  if (dataType !== undefined) return toLatest(item, dataType)
  const fields = fieldsOf(column, languages)
  for (const [index, field] of fields.entries()) {
    const value = item[field]
    if (!isNothing(value)) {
      const cell = toValue(value, column, languages)
      const lang = languages[index]
      const isOther = fields.length > 1 && index > 0 && lang !== undefined
      return cell.kind === 'text' && isOther ? { ...cell, lang } : cell
    }
  }
  return nothing
}

function toValue(value: unknown, column: Column, languages: readonly string[]): Cell {
  if (isNothing(value)) return nothing
  if (Array.isArray(value)) return toList(value, column, languages)
  if (isObject(value)) return toPlace(value) ?? inLanguage(value, languages) ?? toJson(value)
  switch (typeof value) {
    case 'number':
      return { kind: 'number', value }
    case 'boolean':
      return { kind: 'boolean', value }
    default:
      return toText(String(value), column)
  }
}

function toText(text: string, { kind }: Column): Cell {
  if (kind === 'time') return toTime(text)
  const isAddress = /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)
  if (kind === 'image') return isAddress ? { kind, src: text } : { kind: 'text', text }
  if (isAddress)
    return { kind: 'link', href: text, text: text.replace(/^https?:\/\/(www\.)?/i, '') }
  return { kind: 'text', text: plainText(text) }
}

/** Strips HTML, which providers may send in texts, and limits the length. */
function plainText(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&nbsp;/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}

/**
 * Parses a time. Without a zone it is local to the place; at midnight without a zone it is a day.
 */
function toTime(text: string): Cell {
  const at = readTime(text)
  if (at === undefined) return { kind: 'text', text }
  const isLocal = !hasZone(text)
  const hasTime = !/^\d{4}-\d{2}-\d{2}(T00:00:00)?$/.test(text)
  return { kind: 'time', at, isLocal, hasTime, written: isLocal ? text : at.toISOString() }
}

function toList(values: readonly unknown[], column: Column, languages: readonly string[]): Cell {
  const cells = values.flatMap((value) => {
    const cell = toValue(value, column, languages)
    return cell.kind === 'nothing' ? [] : [cell]
  })
  const [first] = cells
  if (first === undefined) return nothing
  if (column.kind === 'image' || column.kind === 'place' || cells.length === 1) return first
  const once = new Map(cells.map((cell) => [JSON.stringify(cell), cell]))
  return { kind: 'list', cells: [...once.values()] }
}

/** Content has `Latitude` and `Longitude`, stations have `x` and `y`. */
function toPlace(value: Item): Cell | undefined {
  const latitude = value['Latitude'] ?? value['y']
  const longitude = value['Longitude'] ?? value['x']
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { kind: 'place', latitude, longitude }
    : undefined
}

/** Picks one text of an object whose keys are languages; undefined if it is another object. */
function inLanguage(value: Item, languages: readonly string[]): Cell | undefined {
  const entries = Object.entries(value)
  if (entries.length === 0) return nothing
  if (!entries.every(([key, one]) => /^[a-z]{2,3}$/.test(key) && typeof one === 'string')) {
    return undefined
  }
  const lang = languages.find((one) => !isNothing(value[one])) ?? entries[0]?.[0] ?? ''
  const text = plainText(String(value[lang]))
  return lang === languages[0] ? { kind: 'text', text } : { kind: 'text', text, lang }
}

function toJson(value: unknown): Cell {
  return { kind: 'json', text: JSON.stringify(value).slice(0, 300) }
}

function toLatest(item: Item, dataType: string): Cell {
  const all = item[latestKey]
  const found = isObject(all) ? all[dataType] : undefined
  if (!isObject(found)) return nothing
  const { value, unit, at, isOld } = found
  if (isNothing(value)) return nothing
  return {
    kind: 'value',
    value: typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value),
    unit: textOf(unit),
    at: textOf(at),
    isOld: isOld === true,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
