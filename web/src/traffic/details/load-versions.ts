import { readJson } from '../../api/index.ts'
import type { TrafficEvent } from '../events/event.ts'
import { toVersions } from './to-versions.ts'
import type { State, Version } from './to-versions.ts'

type States = { readonly data: readonly State[] }

/** The request for every state of an event. */
function versionsRequest({ id, origin }: TrafficEvent) {
  const path = `/v2/flat,event/${encodeURIComponent(origin)}`
  return { path, query: { where: `evseriesuuid.eq."${id}"`, limit: -1 } }
}

/** The states of an event, the newest first. */
export async function loadVersions(
  event: TrafficEvent,
  signal: AbortSignal,
): Promise<readonly Version[]> {
  const { path, query } = versionsRequest(event)
  const { data } = await readJson<States>(path, query, signal)
  return toVersions(data)
}
