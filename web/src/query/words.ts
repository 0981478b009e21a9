import { inLanguage } from '../language/index.ts'
import { query as de } from '../language/de/query.ts'
import { query as en } from '../language/en/query.ts'
import { query as it } from '../language/it/query.ts'

export const words = inLanguage({ de, it, en })
