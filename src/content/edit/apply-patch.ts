import { isDeepStrictEqual } from 'node:util'
import { applyPatch as applyOperations } from 'rfc6902'
import type { Operation } from 'rfc6902'
import type { Issue } from '../../errors/index.ts'
import { isObject, namesIn } from '../../lang/json.ts'
import type { SentRecord } from './read-edits.ts'

/**
 * Maximum JSON characters that the copies of one patch may have: copies of copies double in size.
 */
const maxCopied = 1_000_000

/**
 * Applies a patch (RFC 6902) to a copy of a record. Returns the new record, and the operations that
 * do not apply.
 */
export function applyPatch(
  data: SentRecord,
  patch: readonly Operation[],
): { readonly record: SentRecord; readonly faults: readonly Issue[] } {
  let record: SentRecord = structuredClone(data)
  let copied = 0
  const faults = patch.flatMap((operation, index) => {
    const whole = wholeRecordIn(operation)
    if (whole !== undefined) {
      record = structuredClone(whole)
      return []
    }
    if (operation.op === 'copy') copied += sizeOf(record, operation.from)
    const detail =
      copied > maxCopied
        ? `the patch copies more than ${String(maxCopied)} characters`
        : faultOf(record, operation)
    return detail === undefined ? [] : [{ pointer: `/${String(index)}`, detail }]
  })
  return { record, faults }
}

/**
 * Returns the record by which an operation replaces the whole record. The library cannot do that.
 */
function wholeRecordIn(operation: Operation): SentRecord | undefined {
  if (operation.op !== 'add' && operation.op !== 'replace') return undefined
  const value: unknown = operation.value
  return operation.path === '' && isObject(value) ? value : undefined
}

function sizeOf(record: SentRecord, pointer: string): number {
  return JSON.stringify(valueAt(record, namesIn(pointer)) ?? null).length
}

/** Names that the library skips, so that it would read and write somewhere else. */
const skippedNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * Applies an operation, unless it has a fault. The library reads inherited fields and those of texts
 * and lists, and guesses what an index means, so that all places are checked before.
 */
function faultOf(record: SentRecord, operation: Operation): string | undefined {
  const { op, path } = operation
  const source = 'from' in operation ? operation.from : path
  const names = namesIn(path)
  const skipped = [...names, ...namesIn(source)].find((name) => skippedNames.includes(name))
  if (skipped !== undefined) return `a patch cannot reach a field with the name ${skipped}`
  const found = valueAt(record, namesIn(source))
  if (op === 'test') {
    // The library compares nested lists in a time that multiplies with every level of nesting.
    const isSame = isDeepStrictEqual(found, operation.value)
    return isSame ? undefined : 'the value differs from the one in the test'
  }
  if (path === '') return 'only another record can take the place of the whole record'
  if (op !== 'add' && found === undefined) return `there is no value at ${source}`
  if (op === 'move') return moveFault(record, operation, found)
  if ((op === 'add' || op === 'copy') && !canAdd(record, names)) {
    return `a value cannot be added at ${path}`
  }
  const [fault] = applyOperations(record, structuredClone([operation]))
  return fault?.message
}

/** Removes a value, then adds it (RFC 6902 section 4.4): the path is that after the removal. */
function moveFault(
  record: SentRecord,
  { from, path }: Extract<Operation, { op: 'move' }>,
  value: unknown,
): string | undefined {
  if (path.startsWith(`${from}/`)) return 'a value cannot be moved into itself'
  applyOperations(record, [{ op: 'remove', path: from }])
  const fault = faultOf(record, { op: 'add', path, value })
  if (fault !== undefined) applyOperations(record, [{ op: 'add', path: from, value }])
  return fault
}

/** Index of a list (RFC 6901 section 4). */
const index = /^(?:0|[1-9]\d*)$/

/** Returns the value at a place, or undefined if there is none. */
function valueAt(record: SentRecord, names: readonly string[]): unknown {
  return names.reduce((value: unknown, name): unknown => {
    if (Array.isArray(value)) return index.test(name) ? value[Number(name)] : undefined
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, record)
}

/** Reports whether a value can be added at a place: as a field, or as an item up to the end. */
function canAdd(record: SentRecord, names: readonly string[]): boolean {
  const parent = valueAt(record, names.slice(0, -1))
  const name = names.at(-1) ?? ''
  if (!Array.isArray(parent)) return isObject(parent)
  return name === '-' || (index.test(name) && Number(name) <= parent.length)
}
