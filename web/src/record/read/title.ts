import { sayIn } from './by-language.ts'
import type { Said } from './by-language.ts'
import { textOf } from './json.ts'
import type { Members } from './json.ts'
import { isTitle, readTexts } from './texts.ts'

/** Members that name a record that has no title by language. */
const names = [
  'Title',
  'Name',
  'name',
  'DistrictName',
  'MunicipalityName',
  'EvolutionTitle',
  'Shortname',
]

/** What a record is called, in a language if it can be; at worst its id. */
export function titleOf(record: Members, language: string): Said {
  const titles = readTexts(record)
    .filter(isTitle)
    .flatMap(({ byLanguage }) => sayIn(byLanguage, language) ?? [])
  const best = titles.find((title) => title.language === language) ?? titles[0]
  if (best !== undefined) return best
  const name = names.map((one) => textOf(record[one])).find((one) => one !== undefined)
  return { text: name ?? textOf(record['Id']) ?? textOf(record['id']) ?? '…' }
}
