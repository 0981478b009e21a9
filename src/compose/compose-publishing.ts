import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { readLicence } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { sql } from '../sql/index.ts'
import { composeStandards, loadSystems } from '../standards/index.ts'
import type { System } from '../standards/index.ts'
import type { Queryable, Secrets } from '../storage/index.ts'
import type { Mode } from './access.ts'

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
