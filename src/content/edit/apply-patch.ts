import { isDeepStrictEqual } from 'node:util'
import { applyPatch as applyOperations, Pointer } from 'rfc6902'
import type { Operation } from 'rfc6902'
import type { Issue } from '../../errors/index.ts'
import type { SentRecord } from './edits.ts'

/** Characters of JSON that the copies of one patch may have: copies of copies double their size. */
const mostCopied = 1_000_000

/** What a patch (RFC 6902) makes of a record, and the operations that do not apply to it. */
export function applyPatch(
  data: SentRecord,
  patch: readonly Operation[],
): { readonly record: SentRecord; readonly faults: readonly Issue[] } {
  const record: SentRecord = structuredClone(data)
  let copied = 0
  const faults = patch.flatMap((operation, index) => {
    if (operation.op === 'copy') copied += sizeOf(record, operation.from)
    const detail =
      copied > mostCopied
        ? `the patch copies more than ${String(mostCopied)} characters`
        : faultOf(record, operation)
    return detail === undefined ? [] : [{ pointer: `/${String(index)}`, detail }]
  })
  return { record, faults }
}

function sizeOf(record: SentRecord, pointer: string): number {
  const text: unknown = JSON.stringify(Pointer.fromJSON(pointer).get(record))
  return typeof text === 'string' ? text.length : 0
}

function faultOf(record: SentRecord, operation: Operation): string | undefined {
  if (operation.op !== 'test') {
    const [fault] = applyOperations(record, structuredClone([operation]))
    return fault?.message
  }
  // The library compares nested lists in a time that multiplies with every level.
  const found: unknown = Pointer.fromJSON(operation.path).get(record)
  if (isDeepStrictEqual(found, operation.value)) return undefined
  return 'the value is not the one that is tested for'
}
