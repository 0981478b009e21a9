import { AppError } from '../../errors/index.ts'

/** How many days of history a caller may ask for at once; undefined for any number. */
export type HistoryLimit = { readonly policy: string; readonly days: number | undefined }

const oneDay = 86_400_000

/**
 * The historical limit applies to the length of a range, however long ago it is (decision D62).
 * @throws AppError HUB-QTA-001 for a longer one
 */
export function assertSpan(
  range: { readonly from: string; readonly to: string } | undefined,
  limit: HistoryLimit | undefined,
): void {
  if (range === undefined || limit?.days === undefined) return
  const days = (Date.parse(range.to) - Date.parse(range.from)) / oneDay
  if (days <= limit.days) return
  throw new AppError(
    'HUB-QTA-001',
    `The range spans ${String(Math.ceil(days))} days; ${limit.policy} callers get ${String(limit.days)} days of history at once. Ask for shorter ranges one after another, or with a token.`,
    { policy: limit.policy },
  )
}
