import { inLanguage } from '../language/index.ts'
import { state as de } from '../language/de/state.ts'
import { state as en } from '../language/en/state.ts'
import { state as it } from '../language/it/state.ts'

export const words = inLanguage({ de, it, en })
