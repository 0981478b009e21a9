import type { Stored } from './pipeline.ts'

/** Why a message waits that nothing reads yet: a mapping may be made for its stream (decision D51a). */
export const noPipeline = 'no pipeline'

/** How the reason of a message begins that is tried again for what it refers to. */
export const waitsUntil = 'waits until '

function waitingUntil(moment: Date): string {
  return `${waitsUntil}${moment.toISOString()} for stations or data types that are not known yet: rejected names them`
}

/** Where an outcome leaves a message, and why where the state alone does not say it. */
type Ending = {
  readonly state: 'accepted' | 'visible' | 'rejected' | 'empty'
  readonly reason: string | null
}

/** A message of which nothing could be taken is rejected; one in which there was nothing is empty. */
export function endingOf({ stored, rejected, mapping, unread, waits }: Stored): Ending {
  if (waits !== undefined) return { state: 'accepted', reason: waitingUntil(waits) }
  if (unread !== undefined) return { state: 'accepted', reason: noPipeline }
  if (stored > 0) return { state: 'visible', reason: null }
  if (rejected.length > 0) return { state: 'rejected', reason: null }
  const found =
    mapping === undefined ? 'it has no items' : `the mapping ${mapping.name} found no items in it`
  return { state: 'empty', reason: found }
}
