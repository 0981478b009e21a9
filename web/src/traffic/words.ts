import { inLanguage } from '../language/index.ts'
import { traffic as de } from '../language/de/traffic.ts'
import { traffic as en } from '../language/en/traffic.ts'
import { traffic as it } from '../language/it/traffic.ts'

export const words = inLanguage({ de, it, en })
