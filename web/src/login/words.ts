import { inLanguage } from '../language/index.ts'
import { login as de } from '../language/de/login.ts'
import { login as en } from '../language/en/login.ts'
import { login as it } from '../language/it/login.ts'

export const words = inLanguage({ de, it, en })
