import type { Database, Log } from '../../storage/index.ts'
import { ensurePartitionsAhead } from './ensure-partitions.ts'
import { firstKept } from './months.ts'
import { retirePartitions } from './retire-partitions.ts'
import type { Retirement } from './retire-partitions.ts'
import { keepSpan } from './span.ts'
import type { SpanSettings } from './span.ts'

type Deps = {
  readonly database: Database
  readonly log: Log
  /** `HUB_MEASUREMENT_KEEP_MONTHS`, `HUB_MEASUREMENT_RETIREMENT`. */
  readonly keepMonths: number
  readonly retirement: Retirement
  readonly span: SpanSettings
}

/**
 * Fits the span, makes the partitions of the next months and retires old ones; to be run now and then. What fails is
 * logged, and the next run tries again.
 */
export async function keepPartitions(deps: Deps, now: Date): Promise<void> {
  const { database, log, keepMonths, retirement, span } = deps
  try {
    await keepSpan(database, now, span)
  } catch (err) {
    log.warn({ err }, 'The span of months could not be moved yet; the next hour tries again.')
  }
  try {
    await ensurePartitionsAhead(database, now)
  } catch (err) {
    log.error({ err }, 'The partitions of the next months could not be made.')
  }
  try {
    const policy = { firstKept: firstKept(keepMonths, now), retirement }
    const retired = await retirePartitions(database, policy)
    if (retired.length > 0) log.info({ retired }, 'Old months of measurements were retired.')
  } catch (err) {
    log.error({ err }, 'Old months of measurements could not be retired.')
  }
}
