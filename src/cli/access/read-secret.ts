import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import type { Context } from '../context.ts'

/** How a secret gets in. It is never an argument, which every user of the machine could read. */
export type SecretOptions = { readonly passwordFile?: string; readonly ask?: true }

/** A secret, and whether it has to be told since nobody has chosen it. */
export type NewSecret = { readonly text: string; readonly origin: 'given' | 'generated' }

/** OWASP and NIST SP 800-63B, section 5.1.1.2: no rules but a length. */
const SHORTEST = 8

export function takesPassword(command: Command): Command {
  return command
    .option(
      '--password-file <file>',
      'read the password from the first line of a file; - is standard input',
    )
    .option('--ask', 'ask for the password on the terminal')
}

/**
 * The password as the options say; without any, a generated one.
 * @throws Error when it is too short, or the two that were typed differ
 */
export async function readPassword(
  { passwordFile, ask }: SecretOptions,
  context: Pick<Context, 'input' | 'progressTo'>,
): Promise<NewSecret> {
  if (passwordFile === undefined && ask === undefined) return generateSecret()
  const text =
    passwordFile === undefined ? await typedTwice(context) : await firstLine(passwordFile, context)
  if (text.length < SHORTEST) {
    throw new Error(`The password is too short: it needs ${String(SHORTEST)} characters or more.`)
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
  if (input.isTTY !== true) throw new Error('There is no terminal to ask on. Use --password-file.')
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
    if ((await typed('Once more: ')) !== first) throw new Error('The two passwords differ.')
    return first
  } finally {
    lines.close()
  }
}
