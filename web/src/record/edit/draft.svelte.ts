import { toFailure, writeJson } from '../../api/index.ts'
import type { Failure, Fault, WriteRequest } from '../../api/index.ts'
import type { Present } from '../../api/edit-record.ts'
import { membersOf } from '../read/json.ts'
import type { Members } from '../read/json.ts'
import { beginLanguage, mergeChanges, patchOf, pointerOf, put, valueAt } from '../../api/patch.ts'
import type { Operation, Way } from '../../api/patch.ts'

/** A record that is being edited. */
export type Draft = {
  /** The record as it was read. */
  readonly present: Present
  /** The record with the user's changes. */
  readonly record: Members
  readonly operations: readonly Operation[]
  /** Whether all input can be parsed. */
  readonly isReadable: boolean
  /** Sets a value; null removes it. */
  readonly put: (way: Way, value: unknown) => void
  /** Records whether the input at a path can be parsed. */
  readonly note: (way: Way, state: 'unreadable' | 'readable') => void
  /** Rebases the draft onto a newer state, with the user's changes or without them. */
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

/**
 * Returns the empty value that matches the previous one: missing, empty text, empty list or null.
 */
function emptyAs(before: unknown): unknown {
  if (before === undefined || before === '') return before
  return Array.isArray(before) ? [] : null
}

/** The hub's response to a write or a dry run. */
type Answer = {
  readonly id: string
  readonly changes: readonly unknown[] | null
  readonly warnings?: readonly Fault[]
}

/** Delay of the check after the last change, in milliseconds. */
const pause = 500

const hasChanged = 412

/** Result of checking or saving a draft. */
export type Saving = {
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Whether the record has changed since it was read. */
  readonly isConflict: boolean
  /** Returns the errors of a field and of everything inside it. */
  readonly faultsAt: (way: Way) => readonly Fault[]
  readonly warningsAt: (way: Way) => readonly Fault[]
  readonly save: () => Promise<void>
}

/**
 * Sends writes and keeps the response to the latest. Earlier responses are ignored, because they
 * refer to an outdated draft.
 */
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
    /** Ignores the response to any running request. `all` also drops the current result. */
    forget: (what: 'next' | 'all') => {
      latest += 1
      if (what === 'next') return
      answer = undefined
      failure = undefined
    },
  }
}

/**
 * Checks a draft on the hub after each change, by a dry run of the request that would save it.
 * @param request builds the request from the current draft
 * @param onsaved receives the id of the saved record
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
