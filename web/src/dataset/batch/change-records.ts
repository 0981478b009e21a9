import { readPresent, toPatchRequest } from '../../api/edit-record.ts'
import type { Present } from '../../api/edit-record.ts'
import { toFailure, writeOnly } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import { patchOf, put, valueAt } from '../../api/patch.ts'
import type { Way } from '../../api/patch.ts'

type Members = Present['record']

/** A change to apply to each record: sets a field to a value, or adds a value to a list. */
export type Change = { readonly how: 'set' | 'add'; readonly way: Way; readonly value: unknown }

/** Result of changing one record. */
export type Outcome = {
  readonly path: string
  readonly state: 'same' | 'changed' | 'failed'
  readonly failure?: Failure
  /** Values of the field before and after the change. */
  readonly before?: unknown
  readonly after?: unknown
}

/** Returns a record with the change applied. */
export function withChange(record: Members, { how, way, value }: Change): Members {
  if (how === 'set') return put(record, way, value)
  const held = valueAt(record, way)
  const list: readonly unknown[] = Array.isArray(held) ? held : []
  return list.includes(value) ? record : put(record, way, [...list, value])
}

/**
 * Changes one record, or lets the hub try the change. Never rejects: a failure is part of the
 * outcome.
 */
export function changeRecord(
  path: string,
  change: Change,
  mode: 'try' | 'write',
): Promise<Outcome> {
  return rewrite(path, change.way, { mode, next: (record) => withChange(record, change) })
}

/** Undoes a change, unless the field has been changed again since. */
export function undoChange({ path, before, after }: Outcome, { way }: Change): Promise<Outcome> {
  const isStill = (record: Members) =>
    JSON.stringify(valueAt(record, way)) === JSON.stringify(after)
  return rewrite(path, way, {
    mode: 'write',
    next: (record) => (isStill(record) ? put(record, way, before) : record),
  })
}

type Rewriting = {
  readonly mode: 'try' | 'write'
  readonly next: (record: Members) => Members
}

async function rewrite(path: string, way: Way, { mode, next }: Rewriting): Promise<Outcome> {
  try {
    const present = await readPresent(path)
    const changed = next(present.record)
    const operations = patchOf(present.record, changed)
    if (operations.length === 0) return { path, state: 'same' }
    const query = mode === 'try' ? { dryrun: 'true' } : {}
    await writeOnly({ ...toPatchRequest(path, present, operations), query })
    const [before, after] = [valueAt(present.record, way), valueAt(changed, way)]
    return { path, state: 'changed', before, after }
  } catch (thrown) {
    return { path, state: 'failed', failure: toFailure(thrown) }
  }
}
