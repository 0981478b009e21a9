import { inLanguage } from '../language/index.ts'
import { expression as expressionDe } from '../language/de/expression.ts'
import { query as de } from '../language/de/query.ts'
import { expression as expressionEn } from '../language/en/expression.ts'
import { query as en } from '../language/en/query.ts'
import { expression as expressionIt } from '../language/it/expression.ts'
import { query as it } from '../language/it/query.ts'

export const words = inLanguage({
  de: { ...de, ...expressionDe },
  it: { ...it, ...expressionIt },
  en: { ...en, ...expressionEn },
})
