import { inLanguage } from '../language/index.ts'
import { timeseries as de } from '../language/de/timeseries.ts'
import { timeseries as en } from '../language/en/timeseries.ts'
import { timeseries as it } from '../language/it/timeseries.ts'

export const words = inLanguage({ de, it, en })
