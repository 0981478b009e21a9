import { inLanguage } from '../language/index.ts'
import { design as de } from '../language/de/design.ts'
import { design as en } from '../language/en/design.ts'
import { design as it } from '../language/it/design.ts'

export const words = inLanguage({ de, it, en })
