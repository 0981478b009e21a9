import { toFailure, writeJson } from '../../api/index.ts'
import type { Failure, Fault, WriteRequest } from '../../api/index.ts'
import type { Present } from '../../api/edit-record.ts'
import { membersOf } from '../read/json.ts'
import type { Members } from '../read/json.ts'
import { beginLanguage, mergeChanges, patchOf, pointerOf, put, valueAt } from '../../api/patch.ts'
import type { Operation, Way } from '../../api/patch.ts'

/** A record that somebody is writing. */
export type Draft = {
  /** As it was read. */
  readonly present: Present
  /** As it is to be. */
  readonly record: Members
  readonly operations: readonly Operation[]
  /** Whether all that is written can be read. */
  readonly isReadable: boolean
  /** Sets a value; null for none. */
  readonly put: (way: Way, value: unknown) => void
  /** Notes that what is written at a way cannot be read, or can be again. */
  readonly note: (way: Way, state: 'unreadable' | 'readable') => void
  /** Goes on from a newer state: with the changes on top of it, or without them. */
  readonly continueFrom: (next: Present, changes: 'kept' | 'dropped') => void
}

export function draftOf(start: Present): Draft {
  let present = $state.raw(start)
  let record = $state.raw(start.record)
  let unreadable = $state.raw<readonly string[]>([])
  const operations = $derived(patchOf(present.record, record))
  return {
    get present() {
      return present
    },
    get record() {
      return record
    },
    get operations() {
      return operations
    },
    get isReadable() {
      return unreadable.length === 0
    },
    put: (way, value) => {
      const next = value ?? emptyAs(valueAt(present.record, way))
      record = put(next === undefined ? record : beginLanguage(record, way), way, next)
    },
    note: (way, state) => {
      const others = unreadable.filter((one) => one !== pointerOf(way))
      unreadable = state === 'readable' ? others : [...others, pointerOf(way)]
    },
    continueFrom: (next, changes) => {
      const merged = mergeChanges({ base: present.record, mine: record, theirs: next.record })
      record = changes === 'kept' ? membersOf(merged) : next.record
      present = next
    },
  }
}

/** No value, in the way in which there was none before. */
function emptyAs(before: unknown): unknown {
  if (before === undefined || before === '') return before
  return Array.isArray(before) ? [] : null
}

/** What the hub says of a write, of a dry run too. */
type Answer = {
  readonly id: string
  readonly changes: readonly unknown[] | null
  readonly warnings?: readonly Fault[]
}

/** Milliseconds after the last change. */
const pause = 500

const hasChanged = 412

/** What the hub says of a draft while it is written, and its being saved. */
export type Saving = {
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Whether somebody else has changed the record since it was read. */
  readonly isConflict: boolean
  /** What the hub says of a field or of what is in it. */
  readonly faultsAt: (way: Way) => readonly Fault[]
  readonly warningsAt: (way: Way) => readonly Fault[]
  readonly save: () => Promise<void>
}

/** Sends writes and keeps what the hub says of the last one: those before are about what has changed since. */
function lastAnswer() {
  let answer = $state.raw<Answer>()
  let failure = $state.raw<Failure>()
  let latest = 0
  return {
    get answer() {
      return answer
    },
    get failure() {
      return failure
    },
    get problem() {
      return failure !== undefined && 'problem' in failure ? failure.problem : undefined
    },
    send: async (write: WriteRequest): Promise<Answer | undefined> => {
      latest += 1
      const own = latest
      const result = await writeJson<Answer>(write).catch((thrown: unknown) => toFailure(thrown))
      if (own !== latest) return undefined
      failure = 'kind' in result ? result : undefined
      answer = 'kind' in result ? undefined : result
      return answer
    },
    /** Whatever is on its way is not waited for; `all`: nothing is known any more. */
    forget: (what: 'next' | 'all') => {
      latest += 1
      if (what === 'next') return
      answer = undefined
      failure = undefined
    },
  }
}

/**
 * Has the hub check a draft after each change, by the request that saves it as a dry run.
 * @param request made of the draft as it is
 * @param onsaved is given the identifier of the record
 */
export function savingOf(
  draft: Draft,
  request: () => WriteRequest,
  onsaved: (id: string) => void,
): Saving {
  const last = lastAnswer()
  let isBusy = $state(false)
  $effect(() => {
    const isToCheck = draft.operations.length > 0 && draft.isReadable
    last.forget(isToCheck ? 'next' : 'all')
    if (!isToCheck) return
    const check = { ...request(), query: { dryrun: 'true' } }
    const timer = setTimeout(() => void last.send(check), pause)
    return () => {
      clearTimeout(timer)
    }
  })
  return {
    get answer() {
      return last.answer
    },
    get failure() {
      return last.failure
    },
    get isBusy() {
      return isBusy
    },
    get isConflict() {
      return last.problem?.status === hasChanged
    },
    faultsAt: (way) => within(last.problem?.errors, way),
    warningsAt: (way) => within(last.answer?.warnings, way),
    save: async () => {
      isBusy = true
      const saved = await last.send(request())
      isBusy = false
      if (saved !== undefined) onsaved(saved.id)
    },
  }
}

function within(faults: readonly Fault[] = [], way: Way): readonly Fault[] {
  const at = `${pointerOf(way)}/`
  return faults.filter(({ pointer = '' }) => `${pointer}/`.startsWith(at))
}
