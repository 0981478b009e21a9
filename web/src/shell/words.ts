import { inLanguage } from '../language/index.ts'
import { shell as de } from '../language/de/shell.ts'
import { shell as en } from '../language/en/shell.ts'
import { shell as it } from '../language/it/shell.ts'

export const words = inLanguage({ de, it, en })
