import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { foldDigraphs, foldText } from './search.ts'

/** Letters that every version of Unicode in use folds in the same way. */
const letters = fc.constantFrom(
  ...Array.from('aeouAEOUxß ẞäÖüéàčŞŁøÆœđıЖжЙйïñ\u0301\t\n-%_.\u00a0ﬁ²½漢'),
)

describeWithDatabase('folded titles', (database) => {
  it('are folded like search terms', async () => {
    const titles = fc.sample(fc.string({ unit: letters, maxLength: 20 }), 500)
    const rows = await database().texts(sql`
      select content_titles(jsonb_build_object('Name', title), array['Name'])
      from unnest(${titles}::text[]) with ordinality as sent (title, place) order by place`)
    titles.forEach((title, index) => {
      const folded = foldText(title)
      const short = foldDigraphs(folded)
      const lines = short === folded ? [folded] : [folded, short]
      expect([title, rows[index]?.[0]]).toEqual([
        title,
        lines.map((line) => `\t${line}\n`).join(''),
      ])
    })
  })
})
