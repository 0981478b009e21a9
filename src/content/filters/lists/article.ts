import { all, sql } from '../../../sql/index.ts'
import { lowerSetOf, timeAt } from '../../columns.ts'
import type { GeneratedColumn } from '../../entity.ts'
import { articleTypes } from '../../type-lists/article-types.ts'
import { maskCodes } from '../../type-lists/type-row.ts'
import type { Filter } from '../filter.ts'
import { namedMaskFilter } from '../mask.ts'
import { flagFilter, listFilter } from '../values.ts'
import { assertWindow, dateParameter, readMoment, toEnd } from './dates.ts'

/** What the filters of articles compare. */
export const articleColumns: Readonly<Record<string, GeneratedColumn>> = {
  kinds: lowerSetOf('ArticleTypeList', 'Type', 'SubType'),
  article_date: timeAt('ArticleDate'),
  article_end: timeAt('ArticleDateTo'),
}

const ofKind = (kinds: readonly string[]) => sql`kinds && ${kinds}::text[]`

/** Both: what is valid within the window; one of them: what is valid on that day. */
const window: Filter = {
  name: 'startdate',
  parameters: [
    dateParameter('startdate', 'Only articles that are valid then or later'),
    dateParameter('enddate', 'Only articles that are valid then or before'),
  ],
  read: ({ query }) => {
    const from = readMoment(query, 'startdate')
    const to = readMoment(query, 'enddate')
    assertWindow(from, to, 'enddate')
    const [first, last] = [from ?? to, to ?? from]
    if (first === undefined || last === undefined) return undefined
    return {
      text: `${first.iso}/${toEnd(last)}`,
      condition: all([
        sql`coalesce(article_end, 'infinity') >= ${first.iso}::timestamptz`,
        sql`article_date <= ${toEnd(last)}::timestamptz`,
      ]),
    }
  },
}

/** The filters of the article list (reference content.md 1.5). */
export const articleFilters: readonly Filter[] = [
  namedMaskFilter({
    name: 'articletype',
    description: 'Types, any of them',
    codes: maskCodes(articleTypes),
    toCode: (name) => name.toLowerCase(),
    condition: ofKind,
  }),
  listFilter({
    name: 'articlesubtype',
    description: 'Subtypes by name, any of them',
    example: 'news',
    toItem: (item) => item.toLowerCase(),
    // What the bits of a number mean depends on the type, so only names are taken.
    isItem: (item) => /[^\d~]/.test(item),
    expected: ['names of subtypes with commas'],
    condition: ofKind,
  }),
  window,
  {
    ...flagFilter({
      name: 'sortbyarticledate',
      description: 'Sort by the date of the article, oldest first',
      condition: () => sql`true`,
    }),
    read: ({ query }) =>
      query['sortbyarticledate'] === true
        ? {
            text: 'true',
            condition: sql`true`,
            order: [
              {
                name: 'article_date',
                value: sql`coalesce(article_date, 'infinity')`,
                type: 'timestamptz',
                direction: 'ascending',
              },
            ],
          }
        : undefined,
  },
]
