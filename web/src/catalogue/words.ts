import { inLanguage } from '../language/index.ts'
import { catalogue as de } from '../language/de/catalogue.ts'
import { catalogue as en } from '../language/en/catalogue.ts'
import { catalogue as it } from '../language/it/catalogue.ts'

export const words = inLanguage({ de, it, en })
