import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { AppError } from '../errors/index.ts'
import type { Condition } from './connections.ts'

/**
 * The only place that knows SQLSTATEs (PostgreSQL, Appendix A). The rest of the program asks by
 * meaning, or catches the `AppError` that `translateError` made.
 */
const sqlState = {
  uniqueViolation: '23505',
  numericValueOutOfRange: '22003',
  featureNotSupported: '0A000',
  invalidStatementName: '26000',
  queryCanceled: '57014',
  diskFull: '53100',
}

/** Two transactions stood in each other's way; either may simply begin again. */
const collidedStates = ['40001', '40P01']

/** Class 08: connection exceptions. 57P0x: the server stops, crashed or starts. 53300: it is full. */
const unreachableState = /^(08...|57P0[1-5]|53300)$/

/** Errors of Node (libuv) that mean that nobody answers at the other end. */
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

/** pg throws plain errors for these; it has no code for them. */
const unreachableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|timeout expired|Cannot use a pool)/

/**
 * Makes of an error of the driver what the rest of the program sees: `AppError` when the database is
 * away or too slow, otherwise the same error. For the log, the error of the driver, which is the
 * `cause` of an `AppError`, gets the text of its statement in `statement`; the values are never kept.
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

/** The same again, a little later, may well succeed: two writers met, or the disk was full. */
export function isPassing(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'HUB-SRV-006') ||
    // Not only the driver's own class: another thread sees a copy of the error.
    (error instanceof Error && 'code' in error && collidedStates.includes(String(error.code)))
  )
}

/** A read that failed so may succeed on another server: its own is away, or a replica that replayed over the rows. */
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
  return new AppError('HUB-SRV-002', 'The database does not answer at the moment.', {
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

/** A row with the same key exists: somebody else was faster, or the caller repeats itself. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, sqlState.uniqueViolation)
}

/** A number came up on the way that its type cannot hold, such as the sum of two huge ones. */
export function isOutOfRange(error: unknown): boolean {
  // Not only the driver's own class: another thread sees a copy of the error.
  return (
    error instanceof Error &&
    'code' in error &&
    String(error.code) === sqlState.numericValueOutOfRange
  )
}

/**
 * A prepared statement no longer fits: a migration changed its tables, or a proxy lost it. Nothing
 * has run, so the statement can be sent again on another connection.
 */
export function isStalePreparation(error: unknown): boolean {
  return (
    hasState(error, sqlState.invalidStatementName) ||
    (hasState(error, sqlState.featureNotSupported) && String(error).includes('cached plan'))
  )
}

/** Only after an error that the server itself reported is it known that the connection is in order. */
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

const mostAttempts = 7

/** Before the second attempt, in ms; twice as long before each further one. */
const firstPause = 25

/**
 * Does work again that failed for a reason that passes: two transactions met, each with what the other
 * one needed, and one had to give way. It waits, or it would meet the other one again before that ends.
 * @throws what the last attempt threw
 */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isPassing(error)) throw error
      await pause(firstPause * 2 ** (attempt - 1))
    }
  }
}
