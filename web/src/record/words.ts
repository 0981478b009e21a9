import { inLanguage } from '../language/index.ts'
import { record as de } from '../language/de/record.ts'
import { record as en } from '../language/en/record.ts'
import { record as it } from '../language/it/record.ts'

export const words = inLanguage({ de, it, en })
