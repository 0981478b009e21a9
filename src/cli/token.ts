import { Command } from 'commander'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { fieldsOf } from '../lang/json.ts'
import { prepare } from './context.ts'
import type { Context, MakeCommand } from './context.ts'
import { firstLine, refuseSecret } from './terminal.ts'

const granted = Type.Object({ access_token: Type.String() })
const failed = Type.Object({ error_description: Type.String() })

type Options = {
  readonly url?: string
  readonly secretFile?: string
  readonly user?: string
  readonly passwordFile?: string
}

export const tokenCommand: MakeCommand = (context) => {
  const command = new Command('token')
    .argument('<client>', 'client id, such as demo-provider')
    .option(
      '--secret-file <file>',
      'file whose first line is the secret of the client; - is standard input',
    )
    .option('--url <url>', 'URL of the hub; default: HUB_PUBLIC_URL, or HUB_PORT of this machine')
    .option('--user <name>', 'get the token for a user (password flow) instead of the client')
    .option(
      '--password-file <file>',
      'file whose first line is the password of the user; - is standard input',
    )
    .addHelpText(
      'after',
      '\nExample: TOKEN=$(./bin/hub token loader --secret-file secret.txt). In the demo the secret of a client is its name:\n  TOKEN=$(echo demo-admin | ./bin/hub token demo-admin --secret-file -)',
    )
    .action(async (client: string, options: Options) => {
      const { config } = prepare(context, 'quiet')
      const form = await toForm(client, options, context)
      context.print(await requestToken(context, issuerOf(config, options), form))
    })
  return command
    .addOption(refuseSecret(command, 'secret', instead('secret')))
    .addOption(refuseSecret(command, 'password', instead('password')))
}

const instead = (name: 'secret' | 'password') =>
  `Use --${name}-file <file>, or --${name}-file - to read it from standard input.`

/** Returns the issuer of a hub, given by its URL or by the settings. */
export function issuerOf(config: Config, { url }: Pick<Options, 'url'>): string {
  const hub = url?.replace(/\/+$/, '') ?? publicUrlOf(config)
  const own = `${hub}/auth/realms/${config.HUB_REALM}`
  return url === undefined ? (config.HUB_ISSUER ?? own) : own
}

/** Returns a client's token request, with secrets read from their files. */
export async function toForm(client: string, options: Options, context: Context) {
  const { secretFile, user, passwordFile } = options
  if (secretFile === '-' && passwordFile === '-') {
    throw new Error(
      'Only one of secret and password can come from standard input. Use a file for the other.',
    )
  }
  const form = new URLSearchParams({ client_id: client, scope: 'openid' })
  form.set('grant_type', user === undefined ? 'client_credentials' : 'password')
  if (secretFile !== undefined) form.set('client_secret', await firstLine(secretFile, context))
  if (user !== undefined) form.set('username', user)
  if (passwordFile !== undefined) form.set('password', await firstLine(passwordFile, context))
  return form
}

/**
 * Requests a token from the token service of an issuer. `form` is the request body of OAuth 2.0.
 */
export async function requestToken(context: Context, issuer: string, form: URLSearchParams) {
  const address = `${issuer}/protocol/openid-connect/token`
  const response = await context.fetch(address, { method: 'POST', body: form }).catch(() => {
    throw new Error(
      `The token service at ${address} does not respond. Is the hub running there? Use --url for another one.`,
    )
  })
  const { status } = response
  const answer: unknown = await response.json().catch(() => {
    const what = `responds with status ${String(status)} and no JSON`
    throw new Error(`No token: ${address} ${what}. Is it a hub? Use --url for another one.`)
  })
  if (Check(granted, answer)) return answer.access_token
  if (Check(failed, answer)) throw new Error(`No token: ${answer.error_description}.`)
  const { error = 'unexpected response' } = fieldsOf(answer)
  const reason = `${String(error)} (${String(status)})`
  throw new Error(`No token from ${address}: ${reason}. Check HUB_REALM and the URL of the hub.`)
}
