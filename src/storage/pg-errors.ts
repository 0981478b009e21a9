import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { AppError } from '../errors/index.ts'
import type { Condition } from './connections.ts'

/**
 * The only place that uses SQLSTATEs (PostgreSQL, Appendix A). The rest of the program calls
 * functions named by meaning, or catches the `AppError` made by `translateError`.
 */
const sqlState = {
  uniqueViolation: '23505',
  numericValueOutOfRange: '22003',
  featureNotSupported: '0A000',
  invalidStatementName: '26000',
  queryCanceled: '57014',
  diskFull: '53100',
}

/** Two transactions were in conflict. Either may simply be tried again. */
const collidedStates = ['40001', '40P01']

/**
 * Class 08: connection exceptions. 57P0x: the server is stopping, crashed or starting. 53300: too
 * many connections.
 */
const unreachableState = /^(08...|57P0[1-5]|53300)$/

/** Error codes of Node (libuv) for a server that cannot be reached. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
])

/** Messages of plain errors that pg throws without a code. */
const unreachableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|timeout expired|Cannot use a pool)/

/**
 * Translates an error of the driver for the rest of the program: to `AppError` if the database is
 * down or too slow, otherwise to the same error. For the log, the driver's error, which is the
 * `cause` of an `AppError`, gets the text of its statement in `statement`. Values are never
 * included.
 */
export function translateError(error: unknown, statement?: string): unknown {
  const translated = translate(error)
  const original = translated instanceof AppError ? translated.cause : translated
  if (original instanceof Error && statement !== undefined) Object.assign(original, { statement })
  return translated
}

function translate(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (hasState(error, sqlState.queryCanceled)) return statementTimeout(error)
  if (hasState(error, sqlState.diskFull)) return noRoom(error)
  if (isUnreachable(error)) return databaseUnreachable(error)
  return error
}

function noRoom(cause: unknown): AppError {
  return new AppError('HUB-SRV-006', 'The disk of the database is full.', {
    hint: 'Try again after the time in Retry-After; nothing of this request was stored.',
    headers: { 'Retry-After': '30' },
    cause,
  })
}

/**
 * Reports whether the same work may well succeed a little later: two writers were in conflict, or
 * the disk was full.
 */
export function isPassing(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'HUB-SRV-006') ||
    // Not limited to the driver's own class, because another thread gets a copy of the error.
    (error instanceof Error && 'code' in error && collidedStates.includes(String(error.code)))
  )
}

/**
 * Reports whether a query that failed with this error may succeed on another server: its server is
 * down, or a replica has replayed over the rows.
 */
export function mayBeOfServer(error: unknown): boolean {
  const isAway = error instanceof AppError ? error.code === 'HUB-SRV-002' : isUnreachable(error)
  return isAway || isPassing(error)
}

export function statementTimeout(cause?: unknown): AppError {
  return new AppError(
    'HUB-SRV-003',
    'The database needed too long and the statement was stopped.',
    {
      hint: 'Request less: a shorter range, fewer types, a smaller page, a more selective filter.',
      headers: { 'Retry-After': '10' },
      cause,
    },
  )
}

export function databaseUnreachable(cause?: unknown): AppError {
  return new AppError('HUB-SRV-002', 'The database is not responding at the moment.', {
    hint: 'Try again after the time in Retry-After.',
    headers: { 'Retry-After': '5' },
    cause,
  })
}

export function stopping(): AppError {
  return new AppError('HUB-SRV-004', 'The hub is shutting down.', {
    headers: { 'Retry-After': '5' },
  })
}

/** Reports whether the key exists: another writer was faster, or the caller repeats itself. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, sqlState.uniqueViolation)
}

/**
 * Reports whether an intermediate number did not fit its type, such as the sum of two huge ones.
 */
export function isOutOfRange(error: unknown): boolean {
  // Not limited to the driver's own class, because another thread gets a copy of the error.
  return (
    error instanceof Error &&
    'code' in error &&
    String(error.code) === sqlState.numericValueOutOfRange
  )
}

/**
 * Reports whether a prepared statement is no longer valid: a migration changed its tables, or a
 * proxy lost it. Nothing has run, so the statement can be sent again on another connection.
 */
export function isStalePreparation(error: unknown): boolean {
  return (
    hasState(error, sqlState.invalidStatementName) ||
    (hasState(error, sqlState.featureNotSupported) && String(error).includes('cached plan'))
  )
}

/**
 * Returns whether the connection can be used after an error. Only an error reported by the server
 * itself shows that it can.
 */
export function conditionAfter(error: unknown): Condition {
  const inOrder = error instanceof DatabaseError && error.code !== undefined
  return inOrder && !isUnreachable(error) && !isStalePreparation(error) ? 'usable' : 'broken'
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseError) return unreachableState.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // A name with several addresses fails with one error for each (happy eyeballs, RFC 8305).
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = 'code' in error ? String(error.code) : ''
  return unreachableCodes.has(code) || unreachableMessages.test(error.message)
}

function hasState(error: unknown, state: string): boolean {
  return error instanceof DatabaseError && error.code === state
}

const maxAttempts = 7

/** Pause before the second attempt, in ms. It doubles before each further one. */
const firstPause = 25

/**
 * Repeats work that failed for a temporary reason, such as a deadlock in which one of two
 * transactions had to give way. It pauses before each attempt, or it would meet the other
 * transaction again before that ends.
 * @throws the error of the last attempt
 */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !isPassing(error)) throw error
      await pause(firstPause * 2 ** (attempt - 1))
    }
  }
}
