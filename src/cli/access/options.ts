import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { listClients, listUsers } from '../../identity/index.ts'
import type { StoredClient, User } from '../../identity/index.ts'
import { nearest } from '../../lang/index.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Context } from '../context.ts'

/** What clients may request tokens with. */
export const grantTypes = ['client_credentials', 'password', 'refresh_token', 'authorization_code']

/** Refuses an option that every user of the machine could read; the message must not repeat it. */
export function refuseSecret(command: Command, name: string, instead: string): Option {
  return new Option(`--${name} <${name}>`)
    .hideHelp()
    .argParser(() =>
      command.error(`error: --${name} would be visible to every user of this machine. ${instead}`),
    )
}

/** `A,B`: a list without spaces and duplicates; an empty text is the empty list. */
export function parseList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

export function parseGrantTypes(text: string): readonly string[] {
  const wanted = parseList(text)
  for (const grant of wanted) {
    if (grantTypes.includes(grant)) continue
    const meant = nearest(grant, grantTypes)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new InvalidArgumentError(`Expected ${grantTypes.join(', ')}.${hint}`)
  }
  return wanted
}

/** `client=ROLE,ROLE`, once for each client. */
export function parseClientRoles(
  text: string,
  others: Readonly<Record<string, readonly string[]>> = {},
): Readonly<Record<string, readonly string[]>> {
  const equals = text.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('Write it as <client>=<role>,<role>.')
  return { ...others, [text.slice(0, equals)]: parseList(text.slice(equals + 1)) }
}

export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of seconds, at least 1.')
}

/** RFC 6749, appendix A.1: printable ASCII. */
export function parseClientId(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text
  throw new InvalidArgumentError(
    'A client id has 1 to 200 printable ASCII characters without spaces.',
  )
}

export function parseUserName(text: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(text) && text.trim() === text) return text
  throw new InvalidArgumentError(
    'A user name has 1 to 200 characters, without a space at either end.',
  )
}

/** `/provider/dataset`, `/provider/*` or `/*` (interface 5.10). */
export function parsePathPattern(text: string): string {
  if (/^(\/[^/*\s]+){0,2}\/(\*|[^/*\s]+)$/.test(text) && text.split('/').length <= 3) return text
  throw new InvalidArgumentError('A path is /<provider>/<dataset>, /<provider>/* or /*.')
}

/** How a secret gets in. It is never an argument, which every user of the machine could read. */
export type SecretOptions = { readonly passwordFile?: string; readonly ask?: true }

/** A secret, and whether the hub generated it and so must print it. */
export type NewSecret = { readonly text: string; readonly origin: 'given' | 'generated' }

/** OWASP and NIST SP 800-63B, section 5.1.1.2: no rules but a length. */
const SHORTEST = 8

export function takesPassword(command: Command): Command {
  return command
    .option('--password-file <file>', 'file whose first line is the password; - is standard input')
    .option('--ask', 'prompt for the password')
}

/**
 * The password from the options, or a generated one.
 * @throws Error when it is too short, or the two typed passwords differ
 */
export async function readPassword(
  { passwordFile, ask }: SecretOptions,
  context: Pick<Context, 'input' | 'progressTo'>,
): Promise<NewSecret> {
  if (passwordFile === undefined && ask === undefined) return generateSecret()
  const text =
    passwordFile === undefined ? await typedTwice(context) : await firstLine(passwordFile, context)
  if (text.length < SHORTEST) {
    throw new Error(`The password is too short. It needs at least ${String(SHORTEST)} characters.`)
  }
  return { text, origin: 'given' }
}

/** 192 bits at random, in letters that need no quoting. */
export function generateSecret(): NewSecret {
  return { text: randomBytes(24).toString('base64url'), origin: 'generated' }
}

/** The first line of a file, or of standard input where the file is `-`. */
export async function firstLine(file: string, { input }: Pick<Context, 'input'>): Promise<string> {
  const text = file === '-' ? await allOf(input) : await readFile(file, 'utf8')
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function allOf(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

async function typedTwice({ input, progressTo }: Pick<Context, 'input' | 'progressTo'>) {
  if (input.isTTY !== true) throw new Error('--ask needs a terminal. Use --password-file instead.')
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })
  const lines = createInterface({ input, output: silent, terminal: true })
  const typed = async (question: string) => {
    progressTo.write(question)
    const line = await lines.question('')
    progressTo.write('\n')
    return line
  }
  try {
    const first = await typed('Password: ')
    if ((await typed('Repeat password: ')) !== first) throw new Error('The two passwords differ.')
    return first
  } finally {
    lines.close()
  }
}

/** The user with a name, in any case. @throws Error that names the nearest one */
export async function findUser(database: Queryable, name: string): Promise<User> {
  const users = await listUsers(database)
  const found = users.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  const known = users.map(({ username }) => username)
  throw noSuch({ kind: 'user', name, known })
}

/** The client with an id. @throws Error that names the nearest one */
export async function findClient(database: Queryable, id: string): Promise<StoredClient> {
  const clients = await listClients(database)
  const found = clients.find(({ clientId }) => clientId === id)
  if (found !== undefined) return found
  const known = clients.map(({ clientId }) => clientId)
  throw noSuch({ kind: 'client', name: id, known })
}

type Unknown = { readonly kind: string; readonly name: string; readonly known: readonly string[] }

/** Names that are listed in full; more would hide the rest of the message. */
const LISTED = 20

export function noSuch({ kind, name, known }: Unknown): Error {
  const meant = nearest(name, known)
  if (meant !== undefined) return new Error(`There is no ${kind} ${name}. Did you mean ${meant}?`)
  const listed = known.slice(0, LISTED).join(', ')
  const more = known.length > LISTED ? `, and ${String(known.length - LISTED)} more` : ''
  const all = known.length === 0 ? 'There are none yet.' : `Known: ${listed}${more}.`
  return new Error(`There is no ${kind} ${name}. ${all}`)
}

/** `client=ROLE+ROLE` for each client that has roles. */
export function toTexts(byClient: User['clientRoles']): readonly string[] {
  return Object.entries(byClient)
    .filter(([, roles]) => roles.length > 0)
    .map(([client, roles]) => `${client}=${roles.join('+')}`)
}
