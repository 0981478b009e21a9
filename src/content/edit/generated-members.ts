import { isDeepStrictEqual } from 'node:util'
import { membersOf, textsOf } from '../formats/record-members.ts'
import { withoutMembers } from '../write/without-members.ts'
import type { SentRecord } from './edits.ts'

/** Paths of the members that the hub made when it stored a record, such as `GpsPoints`. */
export function generatedIn(record: SentRecord): readonly string[] {
  return textsOf(membersOf(record['_Meta'])['Generated'])
}

/**
 * A record as an editor means it: members that the hub had made, and that come back as they were read,
 * are made anew from what is sent.
 */
export function withoutReturned(sent: SentRecord, present: SentRecord): SentRecord {
  const returned = generatedIn(present).filter((path) => {
    const names = path.split('.')
    return isDeepStrictEqual(valueAt(sent, names), valueAt(present, names))
  })
  return withoutMembers(sent, returned)
}

/** A path goes through lists: then it is a list of values. */
function valueAt(value: unknown, [name, ...further]: readonly string[]): unknown {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((item) => valueAt(item, [name, ...further]))
  return valueAt(membersOf(value)[name], further)
}
