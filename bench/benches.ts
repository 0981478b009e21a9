import { accessRules } from './access-rules.ts'
import { accessTokens } from './access-tokens.ts'
import { contentItem } from './content-item.ts'
import { contentList } from './content-list.ts'
import type { Bench } from './harness/bench.ts'
import { memory } from './memory.ts'
import { pushMeasurements } from './push-measurements.ts'

/** Every bench, in the order in which they run. A new one is one new file and one line here. */
export const benches: readonly Bench[] = [
  memory,
  contentList,
  contentItem,
  accessTokens,
  accessRules,
  pushMeasurements,
]
