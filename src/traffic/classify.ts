import type { MobilityEvent } from '../timeseries/index.ts'
import { isRecordType } from './datex/index.ts'
import type { Note, RecordType } from './datex/index.ts'
import { refine } from './refine.ts'
import { severities, tagTypes, unexplained } from './tag-types.ts'
import type { Kind, Severity } from './tag-types.ts'

/**
 * What kind of record an event is. `datex.type` decides when the event gives it; otherwise the most
 * severe, then most specific, mapped tag (decision D55). Tags run from the general to the specific,
 * and the category counts as the most general one.
 */
export function classify(event: MobilityEvent, note: Note): Kind {
  const byTag = refine(kindOfTags(event), event.metadata)
  const severity = severityOf(event.severity) ?? byTag.severity
  const given = event.datex?.['type']
  if (given === undefined || given === byTag.type) return { ...byTag, severity }
  if (isRecordType(given)) {
    const shortLived = byTag === unexplained ? isPassing(given) : byTag.shortLived
    return { type: given, members: {}, severity, shortLived, finer: [] }
  }
  const shown = JSON.stringify(given).slice(0, 60)
  note(`datex.type: ${shown} is not a situation record type of DATEX II.`)
  return { ...byTag, severity }
}

function kindOfTags(event: MobilityEvent): Kind {
  const names = [event.category ?? '', ...event.tags].map(toKey)
  const kinds = names.flatMap((name) => tagTypes.get(name) ?? [])
  return kinds.reduce(
    (chosen, kind) => (rank(kind.severity) >= rank(chosen.severity) ? kind : chosen),
    unexplained,
  )
}

/** `traffic-event:closure` and `closure` are the same tag. */
function toKey(tag: string): string {
  return tag
    .trim()
    .toLowerCase()
    .replace(/^traffic-event:/, '')
}

function rank(severity: Severity): number {
  return severities.indexOf(severity)
}

function severityOf(text: string | null): Severity | undefined {
  const wanted = text?.trim().toLowerCase()
  return severities.find((severity) => severity === wanted)
}

/** A type is short-lived when every tag that leads to it is. */
function isPassing(type: RecordType): boolean {
  const kinds = [...tagTypes.values()].filter((kind) => kind.type === type)
  return kinds.length > 0 && kinds.every((kind) => kind.shortLived)
}
