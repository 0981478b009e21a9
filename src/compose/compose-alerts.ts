import type { FastifyPluginAsync } from 'fastify'
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import {
  alertRoutes,
  loadAlerts,
  mailThrough,
  notifyReceivers,
  watchRules,
} from '../alerts/index.ts'
import type { AlertFile } from '../alerts/index.ts'
import type { Config } from '../config/index.ts'
import { internet } from '../http/index.ts'
import { publicUrlOf } from './environment.ts'
import type { Environment } from './environment.ts'
import type { Store } from './open-store.ts'

type Deps = {
  readonly config: Config
  readonly environment: Environment
  readonly store: Store
  readonly metrics: Registry
}

/** @throws DefinitionError when the file of HUB_ALERTS cannot be used */
export async function loadAlertFile({ HUB_ALERTS: path, ...config }: Config) {
  if (path === undefined) return undefined
  return loadAlerts(path, mailOf(config) === undefined ? 'cannot be sent' : 'can be sent')
}

/** The alerts of a hub; without HUB_ALERTS there are none. */
export function composeAlerts(deps: Deps, file: AlertFile | undefined): FastifyPluginAsync {
  const { config, environment, store, metrics } = deps
  const { database } = store
  const { every, now, log } = environment
  return async (app) => {
    await app.register(alertRoutes({ database, file, now }))
    if (file === undefined) return
    const onError = (err: unknown) => {
      log.warn({ err }, 'The alerts could not be evaluated or sent; the hub tries again.')
    }
    const shared = { database, file, now, every, onError }
    const end = watchRules({ ...shared, metrics, node: hostname() })
    const publicUrl = publicUrlOf(config)
    const endNotifying = notifyReceivers({
      ...shared,
      ...{ publicUrl, outside: internet, sendMail: mailOf(config) },
    })
    app.addHook('onClose', async () => {
      end()
      await endNotifying()
    })
  }
}

function mailOf({
  HUB_SMTP_URL: url,
  HUB_SMTP_FROM: from,
}: Pick<Config, 'HUB_SMTP_URL' | 'HUB_SMTP_FROM'>) {
  return url === undefined || from === undefined ? undefined : mailThrough(url, from)
}
