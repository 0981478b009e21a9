import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config/index.ts'
import { explorerRoutes, loadPage, pageAnswer, viewPaths } from '../explorer/index.ts'
import type { Explorer } from '../explorer/index.ts'
import type { AnswerBrowser } from '../http/index.ts'
import { EXPLORER_CLIENT } from '../identity/index.ts'
import type { Access, Mode } from './access.ts'
import { publicUrlOf } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

type Deps = {
  readonly config: Config
  readonly surroundings: Pick<Surroundings, 'version'>
  readonly access: Pick<Access, 'issuer'>
  readonly mode: Mode
}

/** The page: at its own addresses, and to browsers at those of others. */
type ComposedExplorer = {
  readonly routes: FastifyPluginAsync
  readonly answerBrowser: AnswerBrowser | undefined
}

/** The page, and what it is told of this hub. */
export function composeExplorer(deps: Deps): ComposedExplorer {
  const { config, surroundings } = deps
  const { HUB_MAP_TILES: tiles, HUB_MAP_ATTRIBUTION: attribution } = config
  const explorer: Explorer = {
    title: config.HUB_TITLE,
    version: surroundings.version,
    publicUrl: publicUrlOf(config),
    timeZone: config.HUB_TIME_ZONE,
    languages: ['de', 'it', 'en'],
    services: ['content', 'timeseries', 'traffic', 'push'],
    map: {
      ...(tiles === undefined ? {} : { tiles }),
      ...(attribution === undefined ? {} : { attribution }),
    },
    login: loginOf(deps),
  }
  const whole = { page: loadPage(), explorer }
  return {
    routes: explorerRoutes(whole),
    answerBrowser: pageAnswer(whole, viewPaths['/docs/errors/:code']),
  }
}

/** The demo brings a client for the page, unless its tokens come from elsewhere. */
function loginOf({ config, access: { issuer }, mode }: Deps): Explorer['login'] {
  const isKnown = mode === 'demo' && config.HUB_IDENTITY === 'embedded'
  const clientId = config.HUB_EXPLORER_CLIENT ?? (isKnown ? EXPLORER_CLIENT : undefined)
  return clientId === undefined ? null : { issuer, clientId }
}
