import { Command } from 'commander'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { publicUrlOf } from '../compose/index.ts'
import type { Config } from '../config/index.ts'
import type { Context } from './context.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './make-command.ts'

const granted = Type.Object({ access_token: Type.String() })
const refused = Type.Object({ error_description: Type.String() })

type Options = { readonly secret?: string; readonly user?: string; readonly password?: string }

export const tokenCommand: MakeCommand = (context) =>
  new Command('token')
    .description('Get an access token from the token service and print it')
    .argument('<client>', 'client id, such as demo-provider')
    .option('--secret <secret>', 'secret of the client; in demo mode it is its name')
    .option('--user <name>', 'log a user in (password flow) instead of the client')
    .option('--password <password>', 'password of the user')
    .addHelpText(
      'after',
      '\nExample: curl -H "Authorization: Bearer $(npx hub token demo-admin --secret demo-admin)" …',
    )
    .action(async (client: string, options: Options) => {
      const { config } = prepare(context, 'quiet')
      context.print(await requestToken(context, issuerOf(config), toForm(client, options)))
    })

function issuerOf(config: Config): string {
  return config.HUB_ISSUER ?? `${publicUrlOf(config)}/auth/realms/${config.HUB_REALM}`
}

function toForm(client: string, { secret, user, password }: Options): URLSearchParams {
  const form = new URLSearchParams({ client_id: client, scope: 'openid' })
  form.set('grant_type', user === undefined ? 'client_credentials' : 'password')
  if (secret !== undefined) form.set('client_secret', secret)
  if (user !== undefined) form.set('username', user)
  if (password !== undefined) form.set('password', password)
  return form
}

async function requestToken(context: Context, issuer: string, form: URLSearchParams) {
  const address = `${issuer}/protocol/openid-connect/token`
  const response = await context.fetch(address, { method: 'POST', body: form }).catch(() => {
    throw new Error(`The token service at ${address} does not answer. Is the hub running?`)
  })
  const answer: unknown = await response.json()
  if (Check(granted, answer)) return answer.access_token
  const reason = Check(refused, answer) ? answer.error_description : String(response.status)
  throw new Error(`No token: ${reason}.`)
}
