import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { compileTagFilter, parseTagFilter, printTagFilter } from '../tagfilter/index.ts'
import type { TagFilter } from '../tagfilter/index.ts'
import { filter } from './filter.ts'
import type { Filter } from './filter.ts'

/** Records by their tags (interface 4.2, decision D27). */
export const tagFilter: Filter = filter({
  name: 'tagfilter',
  schema: Type.String({
    // Five hundred identifiers of an address's usual length; the grammar counts them.
    maxLength: 50_000,
    description:
      'Identifiers of /v1/Tag: a,b or or(a,b) for any of them, and(a,b) for all of them; letter case counts',
  }),
  examples: {
    good: ['summer', 'summer,winter', 'and(summer,hiking)', 'or(a, b)', 'a,'],
    bad: ['and(a,b', 'and()', 'and(a)or(b)', 'and(a,or(b,c))', 'a)', ',a'],
  },
  read: (written) => {
    const tags = understood(written)
    return { text: printTagFilter(tags), condition: compileTagFilter(tags) }
  },
})

function understood(written: string): TagFilter {
  try {
    return parseTagFilter(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, position, expected, hint } = error
    const issue = { parameter: 'tagfilter', detail: message, position, expected }
    throw new AppError('HUB-QRY-011', message, {
      issues: [hint === undefined ? issue : { ...issue, hint }],
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}
