import { couldSee } from '../changes/index.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Reading } from '../changes/index.ts'
import { identifier, literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import type { Entity } from './entity.ts'
import { matchesOf } from './list/load-page.ts'
import { planList, rewriteRecords } from './list/plan.ts'
import type { ListPlan } from './list/plan.ts'
import type { ReadDeps } from './read-deps.ts'
import { dataOf, represent } from './representation.ts'
import { lockTables } from './sync-tables.ts'
import { itemAddress, tableOf } from './table.ts'

/**
 * Returns the change feeds of the content service, one per entity. Records have the same form as in
 * the list of the entity.
 */
export function contentFeeds(deps: ReadDeps): FeedSource {
  const feeds = new Map(deps.entities.map((entity) => [entity.name, feedOf(entity, deps)]))
  return {
    list: () => Promise.resolve([...feeds.values()]),
    every: () => Promise.resolve([...feeds.values()]),
    find: (name) => feeds.get(name),
  }
}

function feedOf(entity: Entity, deps: ReadDeps): Feed {
  const { area, name, needsToken, closedFields } = entity
  const isForAll = needsToken !== true && needsToken !== (deps.profile ?? 'strict')
  return {
    name,
    type: name,
    description: `Records of ${name}, as in GET /v1/${entity.path}`,
    area: area === 'event' ? 'event' : 'content',
    ruleType: area === 'event' ? undefined : name,
    isOpen: false,
    takes: ['fields', 'language', 'rawfilter'],
    // How often a record was saved would reveal when its closed fields changed (decision D34).
    needsToken: !isForAll || closedFields.length > 0,
    isKnown: () => Promise.resolve(true),
    open: (query, caller) => open(entity, deps, { query, caller }),
  }
}

type Opening = { readonly query: FeedQuery; readonly caller: FeedCaller }

/**
 * Opens the feed of an entity. Fields that are computed per request are left out, because their
 * changes are not recorded.
 */
async function open(entity: Entity, deps: ReadDeps, { query, caller }: Opening): Promise<Reading> {
  const { database, profile = 'strict' } = deps
  const usual = { pagenumber: 1, pagesize: 10, getasidarray: false, removenullvalues: false }
  const { principal, ...rights } = caller
  const isAnonymous = principal.kind === 'anonymous'
  const planning = { ...rights, principal, isAnonymous, database, profile }
  const plan = await planList(entity, { ...usual, ...query }, planning)
  return {
    datasets: [entity.name],
    concerning: sql`
      select xid, sequence, time, id as key, id as target,
        ${couldSeeRecord(sql`before`, entity, caller)} as saw,
        ${couldSeeRecord(sql`after`, entity, caller)} as sees
      from noted`,
    load: async (ids) => (await loadShown(deps, plan, sql`id = any(${ids}::text[])`)).entries,
    list: async (after, limit) => {
      const condition = sql`id > ${after ?? ''} order by id limit ${limit}::bigint`
      const { records, entries } = await loadShown(deps, plan, condition)
      return { entries, next: records.length < limit ? undefined : records.at(-1)?.id }
    },
  }
}

function couldSeeRecord(rights: Sql, { area, name }: Entity, { visibility }: FeedCaller): Sql {
  return area === 'event'
    ? couldSee(rights, { visibility, area: 'event' }, { type: sql`${rights} ->> 'category'` })
    : couldSee(rights, { visibility, area: 'content' }, { type: sql`${name}::text` })
}

type Shown = { readonly database: Queryable; readonly publicUrl: string }

async function loadShown({ database, publicUrl }: Shown, plan: ListPlan, condition: Sql) {
  const { entity, rewrites, representation } = plan
  const rows = await database.texts(
    sql`select id, ${dataOf(plan)} from ${matchesOf(plan)} and ${condition}`,
  )
  const records = rows.flatMap(([id, data]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data }] : [],
  )
  const entries = (await rewriteRecords(rewrites, records)).map(({ id, data }) => ({
    key: id,
    value: represent(data, itemAddress(publicUrl, entity, id), representation),
  }))
  return { records, entries }
}

/**
 * Creates the triggers that record each change of a table (`migrations/0029-change-feed.sql`). Safe
 * to run in several starting processes at once.
 */
export async function syncFeedTriggers(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockTables(tx)
    const noting = await tx.texts(sql`
      select relname || ' ' || encode(tgargs, 'escape') from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname = 'note_deleted' and relnamespace = 'content'::regnamespace`)
    const known = new Set(noting.flat())
    const isMissing = ({ type, name }: Entity) => !known.has(`${type} ${name}\\000`)
    for (const entity of entities.filter(isMissing)) {
      const note = entity.area === 'event' ? sql`note_announcements` : sql`note_records`
      for (const [name, [operation, tables]] of Object.entries(triggers)) {
        await tx.execute(sql`
          create or replace trigger ${identifier(name)} after ${operation} on ${tableOf(entity)}
          referencing ${tables} for each statement execute function ${note}(${literal(entity.name)})`)
      }
    }
  })
}

/** Triggers in the order of their creation: the last one exists only if all of them do. */
const triggers = {
  note_inserted: [sql`insert`, sql`new table as added`],
  note_updated: [sql`update`, sql`old table as taken new table as added`],
  note_deleted: [sql`delete`, sql`old table as taken`],
} as const
