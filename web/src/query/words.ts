import { inLanguage } from '../language/index.ts'
import { expression as expressionDe, query as de } from '../language/de/query.ts'
import { expression as expressionEn, query as en } from '../language/en/query.ts'
import { expression as expressionIt, query as it } from '../language/it/query.ts'

export const words = inLanguage({
  de: { ...de, ...expressionDe },
  it: { ...it, ...expressionIt },
  en: { ...en, ...expressionEn },
})
