import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

const hidden = '***'

/**
 * The password in `scheme://user:password@host` (RFC 3986 section 3.2.1), which may contain any
 * character except these.
 */
const inAddress = /(:\/\/[^/?#\s"@:]*:)[^/?#\s"]*@/g

/** A JSON Web Token (RFC 7519): three parts, the first one a JSON object in Base64. */
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g

/** Credentials of the header field `Authorization` (RFC 9110 section 11.6.2). */
const credentials = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi

/** Masks passwords in URLs, tokens and credentials in a text for logs and error messages. */
export function hideSecrets(text: string): string {
  if (!/:\/\/|eyJ|bearer|basic/i.test(text)) return text
  return text
    .replace(inAddress, `$1${hidden}@`)
    .replace(jsonWebToken, hidden)
    .replace(credentials, `$1 ${hidden}`)
}

/**
 * Fields of an error that are logged, in addition to name, message, stack and causes. All others
 * may contain values: PostgreSQL's `detail` has whole rows ("Failing row contains …"), and clients
 * of other services keep URLs with passwords, requests and their headers.
 */
const loggedFields = [
  ...['code', 'status', 'statusCode', 'errno', 'syscall', 'address', 'port', 'hostname'],
  // The place in the database, by names only.
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine', 'statement'],
]

const maxDepth = 5

/** Creates the log of a process or thread: JSON lines without secrets, whatever fails. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: toLogged },
    hooks: { streamWrite: hideSecrets },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** The start of lines of level info, of which every request writes one. */
const information = '{"level":30,'

/**
 * Limits on batching lines of level info: milliseconds, and bytes. A pipe accepts so many bytes
 * atomically.
 */
const longest = { time: 20, size: 4096 }

/**
 * Returns the output for the log of the process. Lines of level info are batched, because writing
 * each by itself took a twentieth of the time of a request (measured). A warning or an error is
 * written at once, after all waiting lines. Whatever kills the process at once, such as SIGKILL,
 * loses the waiting lines.
 */
export function logOutput(destination: DestinationStream = pino.destination()) {
  let waiting = ''
  const flush = () => {
    if (waiting !== '') destination.write(waiting)
    waiting = ''
  }
  const write = (line: string) => {
    if (Buffer.byteLength(waiting) + Buffer.byteLength(line) > longest.size) flush()
    if (waiting === '') setTimeout(flush, longest.time).unref()
    waiting += line
    if (!line.startsWith(information)) flush()
  }
  return { write, flush }
}

function toLogged(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : undefined
  const known = new Map<string, unknown>(Object.entries(error))
  const fields = loggedFields.flatMap((name) => {
    const value = known.get(name)
    return ['string', 'number'].includes(typeof value) ? [[name, value] as const] : []
  })
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(fields),
    ...(error.cause === undefined || depth >= maxDepth
      ? {}
      : { cause: toLogged(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < maxDepth
      ? { errors: error.errors.map((one) => toLogged(one, depth + 1)) }
      : {}),
  }
}
