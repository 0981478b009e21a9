import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { filter } from './filter.ts'
import type { Filter } from './filter.ts'
import { rejected } from './reject.ts'

const mostItems = 1000

/** A list with commas: any of its items matches. */
export const listSchema = (description: string) =>
  Type.Array(Type.String({ maxLength: 500 }), {
    minItems: 1,
    maxItems: mostItems,
    style: 'form',
    explode: false,
    description,
  })

/** The items without the blanks around them, each once. */
export function toItems(written: readonly string[]): readonly string[] {
  return [...new Set(written.map((item) => item.trim()).filter((item) => item !== ''))]
}

const noItems = [',', Array.from({ length: mostItems + 1 }, String).join(',')]

type Named = {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
}

type ListFilter = Named & {
  readonly example: string
  readonly toItem?: (item: string) => string
  /** What an item must be, where not every text is one. */
  readonly isItem?: (item: string) => boolean
  readonly expected?: readonly string[]
  readonly condition: (items: readonly string[]) => Sql
}

const asItIs = (item: string) => item

/** A filter by a comma list. */
export function listFilter(definition: ListFilter): Filter {
  const { name, aliases = [], description, example, isItem, toItem = asItIs } = definition
  const bad = isItem === undefined ? noItems : [...noItems, `${example},~`]
  return filter({
    name,
    aliases,
    schema: listSchema(description),
    examples: { good: [example, `${example},${example}2`, ` ${example} `], bad },
    read: (written) => {
      const items = [...new Set(toItems(written).map(toItem))]
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

/**
 * A filter by identifiers, where other hubs take the sum of bits too. Which identifier a bit stands for
 * is not known here, so a number is an error and never an identifier that nothing has.
 */
export function identifierFilter(definition: Omit<ListFilter, 'isItem' | 'expected'>): Filter {
  const { name, example } = definition
  const expected = [`identifiers with commas, such as ${example}; no sum of bits`]
  const whole = listFilter({
    ...definition,
    isItem: (item) => !/^(\d{1,10}|~)$/.test(item),
    expected,
  })
  const parameters = whole.parameters.map((parameter) => ({
    ...parameter,
    examples: { ...parameter.examples, bad: [...parameter.examples.bad, '5', `${example},64`] },
  }))
  return { ...whole, name, parameters }
}

/** A filter by a flag. */
export function flagFilter({
  name,
  aliases = [],
  description,
  condition,
}: Named & { readonly condition: (wanted: boolean) => Sql }): Filter {
  return filter({
    name,
    aliases,
    schema: Type.Boolean({ description }),
    examples: { good: ['true', 'FALSE'], bad: ['yes', '1', 'truefalse'] },
    read: (wanted) => ({ text: String(wanted), condition: condition(wanted) }),
  })
}

/** A flag of the record: `true` or `false` exactly, so a record without it matches neither. */
export const columnFlag = (named: Named, column: Sql): Filter =>
  flagFilter({ ...named, condition: (wanted) => sql`${column} = ${wanted}` })
