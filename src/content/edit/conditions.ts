import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../errors/index.ts'
import { matchesRevision } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import { noSuchRecord } from '../reading.ts'
import type { Operation } from './read-edits.ts'

/**
 * Header fields that state which version of the record the editor expects (RFC 9110, section 13.1).
 */
export type Conditions = {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly ifUnmodifiedSince?: string | undefined
}

/**
 * Returns the conditions in the headers.
 * @throws AppError HUB-BDY-001 for a batch with a condition, which could not specify its record
 */
export function conditionsOf(headers: IncomingHttpHeaders, records: 'one' | 'batch'): Conditions {
  const names = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const
  const sent = names.find((name) => headers[name.toLowerCase()] !== undefined)
  if (sent !== undefined && records === 'batch') {
    throw new AppError('HUB-BDY-001', `${sent} applies to one record, and this is a batch.`, {
      hint: 'Send records that others may have changed one by one.',
    })
  }
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  }
}

type EditRequest = {
  readonly entity: Entity
  readonly edit: { readonly id: string; readonly operation: Operation }
}

type State = {
  readonly revision: string
  /** Value of `Last-Modified`. */
  readonly lastChange: Date | undefined
}

/**
 * Asserts the conditions of a write (optimistic locking). Callers must read again if the state
 * changed.
 * @param state undefined if there is no record, or none that the editor may see
 * @throws AppError HUB-RTE-008; HUB-RTE-003 if the record to be changed does not exist
 */
export function assertConditions(
  conditions: Conditions,
  { entity, edit }: EditRequest,
  state: State | undefined,
): void {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = conditions
  const named = `${entity.name} ${edit.id}`
  if (edit.operation === 'Create') {
    if (ifMatch === undefined || state !== undefined) return
    throw new AppError('HUB-RTE-008', `There is no ${named} that If-Match could name.`, {
      hint: 'Create it without If-Match.',
    })
  }
  // If the record does not exist, no other condition matters.
  if (state === undefined) throw noSuchRecord(entity, edit.id)
  const known = [edit.id, state.revision]
  const isOutdated =
    ifMatch === undefined
      ? isModifiedSince(state, ifUnmodifiedSince)
      : !matchesRevision(ifMatch, known)
  if (isOutdated) {
    throw new AppError('HUB-RTE-008', `${named} has changed since it was read.`, {
      hint: 'Read it again, and send the new ETag as If-Match.',
    })
  }
  if (ifNoneMatch !== undefined && matchesRevision(ifNoneMatch, known)) {
    throw new AppError('HUB-RTE-008', `If-None-Match matches the current state of ${named}.`, {
      hint: 'To change this state, send its ETag as If-Match. If-None-Match: * only creates.',
    })
  }
}

/**
 * Reports whether the record changed after a time. Header fields have whole seconds, and one that
 * is not a valid time is ignored (RFC 9110, section 13.1.4).
 */
function isModifiedSince({ lastChange }: State, ifUnmodifiedSince: string | undefined): boolean {
  if (ifUnmodifiedSince === undefined || lastChange === undefined) return false
  const since = Date.parse(ifUnmodifiedSince)
  return !Number.isNaN(since) && Math.floor(lastChange.getTime() / 1000) * 1000 > since
}
