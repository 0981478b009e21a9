import { Type } from 'typebox'
import { commaList } from '../../lang/schemas.ts'
import { AppError, form } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Filter, Profile, Scope } from '../entity.ts'
import { filter } from '../entity.ts'
import type { Choosing } from '../presentation.ts'
import { maskCodes } from '../type-lists/types.ts'
import type { TypeRow } from '../type-lists/types.ts'

type Fault = {
  readonly parameter: string
  /** What is wrong, as a predicate: `is not a sum of bits`. */
  readonly detail: string
  readonly expected: readonly string[]
  readonly position?: number
  readonly hint?: string
}

/** Returns the error for a value that passes its schema but is still invalid (decision D2). */
export function rejected({ parameter, detail, ...rest }: Fault): AppError {
  const allowed = rest.expected.join(', ')
  return new AppError('HUB-QRY-001', `${parameter} ${detail}; allowed: ${allowed}.`, {
    issues: [{ parameter, detail, ...rest }],
    ...(rest.hint === undefined ? {} : { hint: rest.hint }),
  })
}

const maxItems = 1000

/** Returns the schema of a comma-separated list, of which any item may match. */
export const listSchema = (description: string) =>
  commaList(Type.String({ maxLength: 500 }), {
    minItems: 1,
    maxItems,
    description,
  })

/** Returns the trimmed items without empty ones and duplicates. */
export function toItems(written: readonly string[]): readonly string[] {
  return [...new Set(written.map((item) => item.trim()).filter((item) => item !== ''))]
}

const noItems = [',', Array.from({ length: maxItems + 1 }, String).join(',')]

type Named = {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
  readonly choice?: Choosing
}

type ListFilter = Named & {
  readonly example: string
  readonly toItem?: (item: string, scope: Scope) => string
  /** Reports whether an item is valid. If missing, every text is. */
  readonly isItem?: (item: string) => boolean
  readonly expected?: readonly string[]
  readonly condition: (items: readonly string[]) => Sql
}

const asItIs = (item: string) => item

/** Returns a filter by a comma-separated list. */
export function listFilter(definition: ListFilter): Filter {
  const { name, aliases = [], description, example, isItem, toItem = asItIs } = definition
  const bad = isItem === undefined ? noItems : [...noItems, `${example},~`]
  return filter({
    name,
    aliases,
    schema: listSchema(description),
    examples: { good: [example, `${example},${example}2`, ` ${example} `], bad },
    read: (written, scope) => {
      const items = [...new Set(toItems(written).map((item) => toItem(item, scope)))]
      const wrong = isItem === undefined ? undefined : items.find((item) => !isItem(item))
      if (items.length === 0 || wrong !== undefined) {
        const detail =
          wrong === undefined ? 'is a list without items' : `has ${JSON.stringify(wrong)} in it`
        throw rejected({ parameter: name, detail, expected: definition.expected ?? [example] })
      }
      return { text: items.join(','), condition: definition.condition(items) }
    },
  })
}

type IdentifierFilter = Omit<ListFilter, 'isItem' | 'expected'> & {
  /** Type of the tags that can be chosen. */
  readonly tagType?: string
}

const tagsOf = (type = '') => ({ masks: {}, tagged: { [type]: [type] } })

/**
 * Returns a filter by identifiers, for which other hubs also accept a sum of bits. This hub cannot
 * map bits to identifiers, so a number is an error rather than an identifier that no record has.
 */
export function identifierFilter(definition: IdentifierFilter): Filter {
  const { name, example, choice, tagType } = definition
  const expected = [`comma-separated identifiers, such as ${example}; not a sum of bits`]
  const whole = listFilter({
    ...definition,
    isItem: (item) => !/^(\d{1,10}|~)$/.test(item),
    expected,
  })
  const parameters = whole.parameters.map((parameter) => ({
    ...parameter,
    examples: { ...parameter.examples, bad: [...parameter.examples.bad, '5', `${example},64`] },
    choice: choice && { ...choice, kind: 'ids' as const, types: tagsOf(tagType) },
  }))
  return { ...whole, name, parameters }
}

/** Returns a filter by a flag. */
export function flagFilter({
  name,
  aliases = [],
  description,
  choice,
  condition,
}: Named & { readonly condition: (wanted: boolean) => Sql }): Filter {
  return filter({
    name,
    aliases,
    schema: Type.Boolean({ description }),
    examples: { good: ['true', 'FALSE'], bad: ['yes', '1', 'truefalse'] },
    choice: choice && { ...choice, kind: 'flag' },
    read: (wanted) => ({ text: String(wanted), condition: condition(wanted) }),
  })
}

/**
 * Returns a filter by a flag of the record: exactly `true` or `false`, so that a record without the
 * flag matches neither.
 */
export const columnFlag = (named: Named, column: Sql): Filter =>
  flagFilter({ ...named, condition: (wanted) => sql`${column} = ${wanted}` })

type RangeFilter = {
  readonly name: string
  readonly description: string
  /** Unit of the parameter, such as metres. */
  readonly unit: string
  readonly column: Sql
  /** Number of units of the column in one unit of the parameter. */
  readonly factor?: number
  readonly choice?: Choosing
}

const symbols: Readonly<Record<string, string>> = { metres: 'm', kilometres: 'km', hours: 'h' }

const twoNumbers = form(
  String.raw`^ *-?\d{1,9}(\.\d{1,6})? *, *-?\d{1,9}(\.\d{1,6})? *$`,
  'is not two numbers with a comma between them',
)

/**
 * Returns a filter by two comma-separated numbers. It matches values between them, including the
 * bounds; in the compatible profile without the bounds (reference content.md 1.1).
 */
export function rangeFilter(definition: RangeFilter): Filter {
  const { name, description, unit, column, factor = 1, choice } = definition
  const expected = [
    `two numbers in ${unit}, lower and upper bound, such as ${unit === 'metres' ? '500,1500' : '1.5,4'}`,
  ]
  return filter({
    name,
    schema: Type.String({
      ...twoNumbers,
      maxLength: 100,
      description: `${description}: ${expected[0] ?? ''}`,
    }),
    examples: {
      good: ['500,1500', '0,2.5', ' -10 , 10'],
      bad: ['500', 'a,b', '1500,500', '1,2,3', '500;1500', ','],
    },
    choice: choice && { ...choice, kind: 'range', unit: symbols[unit] ?? unit },
    read: (written, { profile }) => {
      const [low = 0, high = 0] = written.split(',').map(Number)
      if (low > high) {
        throw rejected({
          parameter: name,
          detail: 'has a lower bound above the upper bound',
          expected,
        })
      }
      return {
        text: `${String(low)},${String(high)}`,
        condition:
          profile === 'compatible'
            ? sql`(${column} > ${low * factor} and ${column} < ${high * factor})`
            : sql`${column} between ${low * factor} and ${high * factor}`,
      }
    },
  })
}

/** Reports whether a text is a day of the calendar in the form yyyy-MM-dd; 31 February is not. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && text >= '0001'
}

/**
 * Returns the day after one in the form yyyy-MM-dd; undefined after the last day of the calendar,
 * whose years have four digits, and for a text that is not a day.
 */
export function dayAfter(day: string): string | undefined {
  if (!isDay(day)) return undefined
  const next = new Date(`${day}T24:00:00Z`).toISOString()
  return next.startsWith('+') ? undefined : next.slice(0, 10)
}

type MaskFilter = {
  readonly name: string
  readonly description: string
  /** Meaning of each bit, from 1 upwards. */
  readonly types: readonly TypeRow[]
  readonly choice?: Choosing
  readonly condition: (codes: readonly string[], profile: Profile | undefined) => Sql
}

type NamedMask = MaskFilter & {
  /** Converts a name, which is accepted instead of a number, to its spelling in records. */
  readonly toCode: (name: string) => string
}

const sumOf = (codes: readonly string[]) => 2 ** codes.length - 1

/** Returns the codes of the bits that are set, or undefined for a number with other bits. */
function readMask(mask: string, codes: readonly string[]): readonly string[] | undefined {
  const bits = Number(mask)
  if (!/^\d{1,10}$/.test(mask) || bits > sumOf(codes)) return undefined
  return codes.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
}

/** Describes the bits of a mask, such as `1 hotel`, `2 farm` … */
function describe(codes: readonly string[]): readonly string[] {
  return codes.map((code, bit) => `${String(2 ** bit)} ${code}`)
}

const ofBits = (choice: Choosing, types: readonly TypeRow[]) =>
  ({ ...choice, kind: 'bits', types: { masks: { [choice.field]: types }, tagged: {} } }) as const

/** Returns a filter by a sum of bits, passed as text (interface 4.5). 0 filters nothing. */
export function maskFilter({ name, description, types, choice, condition }: MaskFilter): Filter {
  const codes = maskCodes(types)
  const beyond = String(sumOf(codes) + 1)
  return filter({
    name,
    schema: Type.String({
      maxLength: 100,
      description: `${description}; a sum of ${describe(codes).join(', ')}; 0: no filter`,
    }),
    examples: { good: ['0', '1', String(sumOf(codes))], bad: ['x', '-1', '1.5', '1,2', beyond] },
    choice: choice && ofBits(choice, types),
    read: (mask, { profile }) => {
      const wanted = readMask(mask.trim(), codes)
      if (wanted === undefined) throw notAMask(name, codes)
      return wanted.length === 0
        ? undefined
        : { text: mask.trim(), condition: condition(wanted, profile) }
    },
  })
}

function notAMask(parameter: string, codes: readonly string[]) {
  const expected = [`0 to ${String(sumOf(codes))}`, ...describe(codes)]
  return rejected({ parameter, detail: 'is not a sum of these bits', expected })
}

/**
 * Returns a filter by a sum of bits or by comma-separated names (reference content.md 1.2). All
 * bits filter nothing.
 */
export function namedMaskFilter(definition: NamedMask): Filter {
  const { name, description, types, choice, condition, toCode } = definition
  const codes = maskCodes(types)
  return filter({
    name,
    schema: Type.String({
      maxLength: 5000,
      'x-repeated': 'joined',
      description: `${description}; comma-separated names, or a sum of ${describe(codes).join(', ')}`,
    }),
    examples: { good: ['1', codes[0] ?? '1', String(sumOf(codes))], bad: ['-1', '1.5', ','] },
    choice: choice && ofBits(choice, types),
    read: (written, { profile }) => {
      const names = written.split(',').flatMap((item) => item.trim() || [])
      const isNumber = names.length === 0 || names.some((item) => /^[+-]?[\d.]+$/.test(item))
      const wanted = isNumber ? readMask(written.trim(), codes) : names.map(toCode)
      if (wanted === undefined) throw notAMask(name, codes)
      if (wanted.length === 0 || wanted.length === codes.length) return undefined
      return { text: written.trim(), condition: condition(wanted, profile) }
    },
  })
}
