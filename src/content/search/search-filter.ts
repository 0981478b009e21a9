import { Type } from 'typebox'
import { filter } from '../filters/filter.ts'
import type { Filter, Scope } from '../filters/filter.ts'
import { rejected } from '../filters/reject.ts'
import { foldText } from './fold-text.ts'
import { searchCondition } from './search-condition.ts'

/** Text search on titles and identifiers (interface 4.2, reference content.md 3.5). */
export const searchFilter: Filter = filter({
  name: 'searchfilter',
  schema: Type.String({
    maxLength: 500,
    description:
      'A part of a title, in any language or in that of language or langfilter, or an identifier, whole or from three characters on its beginning; accents and letter case do not count',
  }),
  examples: { good: ['Größe', 'a', '%', 'x'.repeat(500)], bad: [' ', '\u0301', 'x'.repeat(501)] },
  read: (written, scope) => {
    const folded = foldText(written.replace(/[\p{Co}\p{Cs}]/gu, ' '))
    if (folded === '') {
      const expected = ['a part of a title, or an identifier']
      const detail = 'has no letter or sign to look for'
      throw rejected({ parameter: 'searchfilter', detail, expected })
    }
    const id = written.trim()
    const ids = [...new Set([id, id.toLowerCase(), id.toUpperCase()])]
    const condition = searchCondition(folded, { languages: languagesOf(scope), ids })
    return { text: written.trim(), condition }
  },
})

/** Only the language that is shown, else only those that are filtered by. */
function languagesOf({ query }: Scope): readonly string[] {
  const { language, langfilter } = query
  if (typeof language === 'string') return [language]
  if (!Array.isArray(langfilter)) return []
  return langfilter.flatMap((item) =>
    typeof item === 'string' && /^[a-z]{2,3}$/i.test(item.trim()) ? [item.trim()] : [],
  )
}
