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

/** What is published in the forms of standards, beside stations and values. */
export type Publishing = {
  /** Of bicycles and cars that are shared. */
  readonly systems: readonly System[]
  readonly secret: string
}

/**
 * The sharing systems of a hub.
 * @throws DefinitionError with everything that is wrong with the files of any of them
 */
export function loadSharing({ HUB_GBFS: folder }: Config, mode: Mode): Promise<readonly System[]> {
  return loadSystems(folder ?? (mode === 'demo' ? demoSystems : undefined))
}

const secretName = 'secret of published identifiers'

/** The same for all nodes and after every start: otherwise identifiers would change with each. */
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

/** The routes, and the standards in which a dataset of the catalogue can be had. */
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

/** The page: at its own addresses, and to browsers at those of others. */
export type ComposedExplorer = {
  /** @param publicData what everybody may read, for search engines */
  readonly routes: (publicData: PublicData) => FastifyPluginAsync
  readonly answerBrowser: AnswerBrowser | undefined
}

/** The page, and its configuration of this hub. */
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

/** How long the server of a style may take while the hub starts, in milliseconds. */
const stylePatience = 5000

/** The hub starts even if the style cannot be read; maps are then incomplete. */
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

/** The demo brings a client for the page, unless its tokens come from elsewhere. */
function loginOf({ config, access: { issuer }, mode }: ExplorerDeps): Explorer['login'] {
  const isKnown = mode === 'demo' && config.HUB_IDENTITY === 'embedded'
  const clientId = config.HUB_EXPLORER_CLIENT ?? (isKnown ? EXPLORER_CLIENT : undefined)
  return clientId === undefined ? null : { issuer, clientId }
}
