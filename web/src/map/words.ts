import { inLanguage } from '../language/index.ts'
import { map as de } from '../language/de/map.ts'
import { map as en } from '../language/en/map.ts'
import { map as it } from '../language/it/map.ts'

export const words = inLanguage({ de, it, en })
