import { inLanguage } from '../language/index.ts'
import { dataset as de } from '../language/de/dataset.ts'
import { dataset as en } from '../language/en/dataset.ts'
import { dataset as it } from '../language/it/dataset.ts'

export const words = inLanguage({ de, it, en })
