import { inLanguage } from '../language/index.ts'
import { request as de } from '../language/de/request.ts'
import { request as en } from '../language/en/request.ts'
import { request as it } from '../language/it/request.ts'

export const words = inLanguage({ de, it, en })
