import { isDeepStrictEqual } from 'node:util'
import { createPatch } from 'rfc6902'
import type { Operation } from 'rfc6902'
import { withoutMembers } from '../write/without-members.ts'
import { generatedIn } from './generated-members.ts'

type Members = Readonly<Record<string, unknown>>

/** Members that follow from the save itself and not from what was written (decision D28). */
const ofEverySave = ['_Meta', 'LastChange', 'FirstImport', 'HasLanguage']

/** Comparing lists takes the product of their lengths; longer ones are replaced as a whole. */
const mostComparisons = 10_000

/**
 * What makes the second state of a record from the first, as a JSON patch (RFC 6902). Empty when the
 * content is the same.
 */
export function differenceOf(before: Members, after: Members): readonly Operation[] {
  return createPatch(contentOf(before), contentOf(after), (input, output, pointer) => {
    if (!Array.isArray(input) || !Array.isArray(output)) return undefined
    if (input.length * output.length <= mostComparisons) return undefined
    if (isDeepStrictEqual(input, output)) return []
    return [{ op: 'replace', path: pointer.toString(), value: output }]
  })
}

function contentOf(record: Members): Members {
  return withoutMembers(record, [...ofEverySave, ...generatedIn(record)])
}
