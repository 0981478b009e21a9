import { readJson } from '../api/index.ts'
import type { paths } from '../api/index.ts'
import { quotaRequest } from './first-requests.ts'

type Quota = paths['/quota']['get']['responses'][200]['content']['application/json']

/**
 * Days of history that the caller may request at once in fine steps; null: any number. Who cannot be told
 * finds out by asking.
 */
export async function loadHistoryDays(signal?: AbortSignal): Promise<number | null> {
  const { isEnforced, historyDays } = await readJson<Quota>(quotaRequest.path, {}, signal)
  return isEnforced ? historyDays : null
}
