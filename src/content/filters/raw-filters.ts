import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import { compileRawFilter, parseRawFilter, printRawFilter } from '../rawfilter/index.ts'
import { compileRawSort, parseRawSort, printRawSort } from '../rawsort/index.ts'
import { filter } from './filter.ts'
import type { Filter, Scope } from './filter.ts'

/** Characters of an expression (decision D35). */
export const longest = 4000

/** An expression over the stored records (decision D35). */
export const rawFilter: Filter = filter({
  name: 'rawfilter',
  schema: Type.String({
    maxLength: longest,
    description:
      "Expression over the stored record, such as and(eq(Active,true),in(Tags.[*].Id,'summer'))",
  }),
  examples: {
    good: ['eq(Active,true)', "and(isnotnull(Shortname),not(eq(Id,'x')))"],
    bad: ['eq(Active,true', 'eq(Title,Foo)', 'and()', 'x'],
  },
  read: (written, scope) => {
    const expression = parseRawFilter(written)
    return {
      text: printRawFilter(expression),
      condition: compileRawFilter(expression, toStored(scope)),
    }
  },
})

/** An order by fields of the stored records (decision D35). */
export const rawSort: Filter = filter({
  name: 'rawsort',
  schema: Type.String({
    maxLength: longest,
    description: 'Fields to sort by, with - before those to sort downwards: -LastChange,Shortname',
  }),
  examples: { good: ['Shortname', '-LastChange,Id'], bad: ['-', 'A,,B', 'A B'] },
  read: (written, scope) => {
    const sort = parseRawSort(written)
    return {
      text: printRawSort(sort),
      condition: sql`true`,
      order: compileRawSort(sort, toStored(scope)),
    }
  },
})

/** Without a token, closed members are not there, for filters and orders as for the answer (decision D34). */
function toStored({ entity, principal }: Scope) {
  return { entity, naming: entity.naming, isReduced: principal.kind === 'anonymous' }
}
