import type { FastifyPluginAsync } from 'fastify'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { readLicence, publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { sql } from '../sql/index.ts'
import { composeStandards, loadSystems } from '../standards/index.ts'
import type { System } from '../standards/index.ts'
import type { Queryable, Secrets } from '../storage/index.ts'
import type { Access, Mode } from './access.ts'
import { explorerRoutes, loadMapStyle, loadPage, pageAnswer, viewPaths } from '../explorer/index.ts'
import type { Explorer, MapStyle, PublicData } from '../explorer/index.ts'
import type { AnswerBrowser } from '../http/index.ts'
import { EXPLORER_CLIENT } from '../identity/index.ts'
import type { Environment } from './environment.ts'

const demoSystems = fileURLToPath(new URL('../../gbfs/demo', import.meta.url))

/** Published data in standard formats, besides stations and values. */
export type Publishing = {
  /** Bicycle and car sharing systems. */
  readonly systems: readonly System[]
  readonly secret: string
}

/**
 * Loads the sharing systems of a hub.
 * @throws DefinitionError with all faults in their files
 */
export function loadSharing({ HUB_GBFS: folder }: Config, mode: Mode): Promise<readonly System[]> {
  return loadSystems(folder ?? (mode === 'demo' ? demoSystems : undefined))
}

const secretName = 'secret of published identifiers'

/**
 * Loads the secret of the published identifiers. It is the same on all nodes and after every start;
 * otherwise the identifiers would change each time.
 */
export async function loadSecret(database: Queryable, secrets: Secrets): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  await database.execute(
    sql`insert into deployment (name, value) values (${secretName}, ${secrets.seal(made)}) on conflict do nothing`,
  )
  const [row] = await database.texts(sql`select value from deployment where name = ${secretName}`)
  return secrets.open(row?.[0] ?? made)
}

type Deps = Omit<Parameters<typeof composeStandards>[0], keyof Publishing | 'licences'> & {
  readonly config: Config
  readonly publishing: Publishing
}

/** Composes the routes, and the standards in which a dataset of the catalogue is available. */
export function composePublishing({ config, publishing, ...deps }: Deps) {
  const licences = new Map(config.HUB_LICENCES.map(readLicence))
  const { routes, offers } = composeStandards({ ...deps, ...publishing, licences })
  const standardsOf = ({ id }: { readonly id: string }) =>
    offers
      .filter(({ dataset }) => dataset === id)
      .map(({ name, version, path, mediaType }) => {
        return { name, version, url: `${deps.publicUrl}${path}`, mediaType }
      })
  return { routes, standardsOf }
}

type ExplorerDeps = {
  readonly config: Config
  readonly environment: Pick<Environment, 'version' | 'fetch' | 'log'>
  readonly access: Pick<Access, 'issuer'>
  readonly mode: Mode
}

/** The explorer page: at its own URLs, and for browsers that request the URLs of other services. */
export type ComposedExplorer = {
  /** @param publicData data that everybody may read, for search engines */
  readonly routes: (publicData: PublicData) => FastifyPluginAsync
  readonly answerBrowser: AnswerBrowser | undefined
}

/** Composes the explorer page and its configuration for this hub. */
export async function composeExplorer(deps: ExplorerDeps): Promise<ComposedExplorer> {
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

/** How long the server of a map style may take while the hub starts, in milliseconds. */
const stylePatience = 5000

/** Loads the map style. The hub starts even if that fails; its maps are then incomplete. */
function mapStyleOf({ config, environment }: ExplorerDeps): Promise<MapStyle | undefined> {
  const { HUB_MAP_STYLE: setting, HUB_DATA_DIR: dataDir } = config
  if (setting === undefined) return Promise.resolve(undefined)
  const load = async (url: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(stylePatience)
    const answer = await environment.fetch(url, { signal })
    if (!answer.ok) throw new Error(`${url} responds with ${String(answer.status)}.`)
    return answer.json()
  }
  const warn = (err: unknown, url: string) => {
    environment.log.warn({ err, url }, 'HUB_MAP_STYLE: maps cannot use this URL.')
  }
  return loadMapStyle(setting, { dataDir, load, warn })
}

/** Returns the page's login. The demo has a client for it, unless an external provider is used. */
function loginOf({ config, access: { issuer }, mode }: ExplorerDeps): Explorer['login'] {
  const isKnown = mode === 'demo' && config.HUB_IDENTITY === 'embedded'
  const clientId = config.HUB_EXPLORER_CLIENT ?? (isKnown ? EXPLORER_CLIENT : undefined)
  return clientId === undefined ? null : { issuer, clientId }
}
