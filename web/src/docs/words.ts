import { inLanguage } from '../language/index.ts'
import { docs as de } from '../language/de/docs.ts'
import { docs as en } from '../language/en/docs.ts'
import { docs as it } from '../language/it/docs.ts'

export const words = inLanguage({ de, it, en })
