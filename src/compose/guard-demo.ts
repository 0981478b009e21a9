import { ConfigError } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { EXPLORER_CLIENT, demoAccounts } from '../identity/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { isLoopback } from './surroundings.ts'

/**
 * The demo makes up data and knows clients whose secrets everybody knows: it must not come to run on
 * real data, nor where others reach it.
 */

const instead = 'Run hub serve instead; hub demo --really is for those who want it all the same.'

/** @throws ConfigError when others than this machine could reach the demo */
export function assertLoopback({ HUB_HOST }: Pick<Config, 'HUB_HOST'>): void {
  if (isLoopback(HUB_HOST)) return
  throw new ConfigError([
    `HUB_HOST: "${HUB_HOST}" can be reached from other machines, and the secret of each demo client is its name (allowed for hub demo: 127.0.0.1, ::1 or localhost). ${instead}`,
  ])
}

/** @throws ConfigError when anything was found */
export function assertNothingForeign(found: readonly string[]): void {
  if (found.length === 0) return
  throw new ConfigError([
    `The database holds what the demo did not load: ${found.join('; ')}. hub demo takes an empty database (DATABASE_URL, HUB_DATA_DIR) or one that it has filled. ${instead}`,
  ])
}

type Place = { readonly table: string; readonly title: string; readonly names: Sql }

/** `import` is not among them: what a person has imported is not to be mixed with made-up data. */
const demoSenders = ['demo', EXPLORER_CLIENT, ...demoAccounts.clients.map((one) => one.clientId)]

/** What only others than the demo make, whenever it comes. */
const madeByOthers: readonly Place[] = [
  {
    table: 'identity_client',
    title: 'clients',
    names: sql`select client_id as name from identity_client order by name limit 3`,
  },
  {
    table: 'identity_user',
    title: 'users',
    names: sql`select username as name from identity_user order by name limit 3`,
  },
  {
    table: 'message',
    title: 'messages from',
    names: sql`
      select distinct sender as name from message
      where sender <> all(${demoSenders}::text[]) order by name limit 3`,
  },
]

/** What is foreign unless the demo was there first: every write of data leaves a change. */
const data: Place = {
  table: 'change',
  title: 'data',
  names: sql`select dataset as name from change order by sequence desc limit 1`,
}

/**
 * What a database holds that the demo did not load: accounts and messages of others, and any data where
 * the demo did not begin with an empty database. The schema may be of any version, or missing.
 */
export async function findForeignData(database: Queryable): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  const tables = new Set(rows.map(({ name }) => name))
  const isOwn = tables.has('deployment') && (await isMarkedOwn(database))
  const found: string[] = []
  for (const { table, title, names } of isOwn ? madeByOthers : [data, ...madeByOthers]) {
    if (!tables.has(table)) continue
    const foreign = await database.query<{ name: string }>(names)
    if (foreign.length === 0) continue
    found.push(`${title} (${foreign.map(({ name }) => name).join(', ')})`)
  }
  return found
}

const mark = 'demo database'

/** Remembers at the first start of the demo whether the database was its own; later starts change nothing. */
export async function markDemo(database: Queryable, found: readonly string[]): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value)
    values (${mark}, ${found.length === 0 ? 'own' : 'foreign'})
    on conflict (name) do nothing`)
}

/** Demos of former versions left no mark but the milestones of their loads. */
async function isMarkedOwn(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ own: boolean | null }>(sql`
    select bool_and(name <> ${mark} or value = 'own') as own
    from deployment where name like 'demo %'`)
  return row?.own === true
}
