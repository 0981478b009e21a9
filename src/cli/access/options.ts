import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { forms, generateSecret, grantTypes, minPasswordLength } from '../../admin/index.ts'
import { sentenceOf } from '../../errors/index.ts'
import type { User } from '../../identity/index.ts'
import { nearest } from '../../lang/index.ts'
import type { Context } from '../context.ts'
import { firstLine, parseList } from '../terminal.ts'

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

/** Parses `client=ROLE,ROLE`. The option is repeated for each client. */
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

/** Returns a parser that accepts only texts of a certain form. */
const formed = (what: string, { pattern }: { readonly pattern: string }) => {
  const expression = new RegExp(pattern, 'u')
  return (text: string): string => {
    if (expression.test(text)) return text
    throw new InvalidArgumentError(`${what} ${sentenceOf(pattern)}.`)
  }
}

export const parseClientId = formed('A client id', forms.clientId)
export const parseUserName = formed('A user name', forms.userName)
export const parseRole = formed('A role', forms.role)
export const parsePathPattern = formed('A path', forms.path)

/** Sources of a secret. It is never an argument, which every user of the machine could read. */
export type SecretOptions = { readonly passwordFile?: string; readonly ask?: true }

/** A secret, and whether the hub generated it and therefore must print it. */
export type NewSecret = { readonly text: string; readonly origin: 'given' | 'generated' }

export function takesPassword(command: Command): Command {
  return command
    .option('--password-file <file>', 'file whose first line is the password; - is standard input')
    .addOption(new Option('--ask', 'prompt for the password').conflicts('passwordFile'))
}

/**
 * Returns the password from the options, or a generated one.
 * @throws Error if the password is too short, or if the two typed passwords differ
 */
export async function readPassword(
  { passwordFile, ask }: SecretOptions,
  context: Pick<Context, 'input' | 'progressTo'>,
): Promise<NewSecret> {
  if (passwordFile === undefined && ask === undefined)
    return { text: generateSecret(), origin: 'generated' }
  const text =
    passwordFile === undefined ? await typedTwice(context) : await firstLine(passwordFile, context)
  if (text.length < minPasswordLength) {
    throw new Error(
      `The password is too short. It needs at least ${String(minPasswordLength)} characters.`,
    )
  }
  return { text, origin: 'given' }
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

/** Formats roles as `client=ROLE+ROLE`, for each client that has any. */
export function toTexts(byClient: User['clientRoles']): readonly string[] {
  return Object.entries(byClient)
    .filter(([, roles]) => roles.length > 0)
    .map(([client, roles]) => `${client}=${roles.join('+')}`)
}
