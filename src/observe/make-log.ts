import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

const hidden = '***'

/** `scheme://user:password@host` (RFC 3986 section 3.2.1): the password may hold any but these. */
const inAddress = /(:\/\/[^/?#\s"@:]*:)[^/?#\s"]*@/g

/** A JSON Web Token (RFC 7519): three parts, the first an object in Base64. */
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g

/** Credentials of the header field `Authorization` (RFC 9110 section 11.6.2). */
const credentials = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi

/** The same text without passwords in addresses, tokens and credentials: for logs and complaints. */
export function hideSecrets(text: string): string {
  if (!/:\/\/|eyJ|bearer|basic/i.test(text)) return text
  return text
    .replace(inAddress, `$1${hidden}@`)
    .replace(jsonWebToken, hidden)
    .replace(credentials, `$1 ${hidden}`)
}

/**
 * What of an error is logged beside its name, words, stack and causes. Everything else may hold values:
 * PostgreSQL's `detail` has whole rows ("Failing row contains …"), clients of other services keep
 * addresses with passwords, requests and their headers.
 */
const loggedFields = [
  ...['code', 'status', 'statusCode', 'errno', 'syscall', 'address', 'port', 'hostname'],
  // Where in the database, by name only.
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine', 'statement'],
]

const deepest = 5

/** The log of a process or thread: JSON lines without secrets, whatever fails. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: toLogged },
    hooks: { streamWrite: hideSecrets },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** How lines of information begin, which every request has one of. */
const information = '{"level":30,'

/** Milliseconds, and bytes, that lines of information wait for others. A pipe takes so many bytes as a whole. */
const longest = { time: 20, size: 4096 }

/**
 * Where the log of the process is written: lines of information some at a time, because to write each by itself took
 * a twentieth of the time of a request (measured); a warning or an error at once, with all before it. What ends the
 * process at once, as SIGKILL does, takes the lines with it that wait.
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
    ...(error.cause === undefined || depth >= deepest
      ? {}
      : { cause: toLogged(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < deepest
      ? { errors: error.errors.map((one) => toLogged(one, depth + 1)) }
      : {}),
  }
}
