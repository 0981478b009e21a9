import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config/index.ts'
import { explorerRoutes, loadMapStyle, loadPage, pageAnswer, viewPaths } from '../explorer/index.ts'
import type { Explorer, MapStyle, PublicData } from '../explorer/index.ts'
import type { AnswerBrowser } from '../http/index.ts'
import { EXPLORER_CLIENT } from '../identity/index.ts'
import type { Access, Mode } from './access.ts'
import { publicUrlOf } from './environment.ts'
import type { Environment } from './environment.ts'

type Deps = {
  readonly config: Config
  readonly environment: Pick<Environment, 'version' | 'fetch' | 'log'>
  readonly access: Pick<Access, 'issuer'>
  readonly mode: Mode
}

/** The page: at its own addresses, and to browsers at those of others. */
export type ComposedExplorer = {
  /** @param publicData what everybody may read, for search engines */
  readonly routes: (publicData: PublicData) => FastifyPluginAsync
  readonly answerBrowser: AnswerBrowser | undefined
}

/** The page, and its configuration of this hub. */
export async function composeExplorer(deps: Deps): Promise<ComposedExplorer> {
  const { config, environment } = deps
  const mapStyle = await mapStyleOf(deps)
  const { HUB_MAP_TILES: tiles, HUB_MAP_ATTRIBUTION: attribution } = config
  const explorer: Explorer = {
    title: config.HUB_TITLE,
    version: environment.version,
    publicUrl: publicUrlOf(config),
    timeZone: config.HUB_TIME_ZONE,
    languages: ['de', 'it', 'en'],
    services: ['content', 'timeseries', 'traffic', 'push'],
    map: {
      ...(tiles === undefined ? {} : { tiles }),
      ...(mapStyle === undefined ? {} : { style: mapStyle.address }),
      ...(attribution === undefined ? {} : { attribution }),
    },
    embed: config.HUB_EMBED_ORIGINS !== undefined,
    login: loginOf(deps),
  }
  const embedOrigins = config.HUB_EMBED_ORIGINS ?? ''
  const whole = { page: loadPage(), explorer, mapStyle, embedOrigins }
  return {
    routes: (publicData) => explorerRoutes({ ...whole, publicData }),
    answerBrowser: pageAnswer(whole, viewPaths['/docs/errors/:code']),
  }
}

/** How long the server of a style may take while the hub starts, in milliseconds. */
const stylePatience = 5000

/** The hub starts even if the style cannot be read; maps are then incomplete. */
function mapStyleOf({ config, environment }: Deps): Promise<MapStyle | undefined> {
  const { HUB_MAP_STYLE: setting, HUB_DATA_DIR: dataDir } = config
  if (setting === undefined) return Promise.resolve(undefined)
  const load = async (url: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(stylePatience)
    const answer = await environment.fetch(url, { signal })
    if (!answer.ok) throw new Error(`${url} responds with ${String(answer.status)}.`)
    return answer.json()
  }
  const warn = (err: unknown, url: string) => {
    environment.log.warn({ err, url }, 'HUB_MAP_STYLE: maps cannot use this address.')
  }
  return loadMapStyle(setting, { dataDir, load, warn })
}

/** The demo brings a client for the page, unless its tokens come from elsewhere. */
function loginOf({ config, access: { issuer }, mode }: Deps): Explorer['login'] {
  const isKnown = mode === 'demo' && config.HUB_IDENTITY === 'embedded'
  const clientId = config.HUB_EXPLORER_CLIENT ?? (isKnown ? EXPLORER_CLIENT : undefined)
  return clientId === undefined ? null : { issuer, clientId }
}
