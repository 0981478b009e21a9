import { hub } from '../api/index.ts'

/**
 * Days of history that the caller may ask for at once in fine steps; null: any number. Who cannot be told
 * finds out by asking.
 */
export async function loadHistoryDays(signal: AbortSignal): Promise<number | null> {
  const { data } = await hub.GET('/quota', { signal })
  return data?.isEnforced === true ? data.historyDays : null
}
