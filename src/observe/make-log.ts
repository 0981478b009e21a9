import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { hideSecrets } from './hide-secrets.ts'

/**
 * What of an error is logged beside its name, words, stack and causes. Everything else may hold values:
 * PostgreSQL's `detail` has whole rows ("Failing row contains …"), clients of other services keep
 * addresses with passwords, requests and their headers.
 */
const telling = [
  ...['code', 'status', 'statusCode', 'errno', 'syscall', 'address', 'port', 'hostname'],
  // Where in the database, by name only.
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine', 'statement'],
]

const deepest = 5

/** The log of a process or thread: JSON lines in which no secret stands, whatever fails. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: toLogged },
    hooks: { streamWrite: hideSecrets },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

function toLogged(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : undefined
  const known = new Map<string, unknown>(Object.entries(error))
  const told = telling.flatMap((name) => {
    const value = known.get(name)
    return ['string', 'number'].includes(typeof value) ? [[name, value] as const] : []
  })
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(told),
    ...(error.cause === undefined || depth >= deepest
      ? {}
      : { cause: toLogged(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < deepest
      ? { errors: error.errors.map((one) => toLogged(one, depth + 1)) }
      : {}),
  }
}
