import { visible } from '../access/index.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Entry, Reading } from '../changes/index.ts'
import { identifier, join, literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { makerOf, withMade } from './datasets/index.ts'
import type { Entity } from './entity.ts'
import { matchesOf } from './list/load-page.ts'
import { planList, rewriteRecords } from './list/plan.ts'
import type { ListPlan } from './list/plan.ts'
import type { ReadDeps } from './read-deps.ts'
import { dataOf, represent } from './representation.ts'
import { lockTables } from './sync-tables.ts'
import { itemAddress, tableOf } from './table.ts'

/** The feeds of the content service: one for each entity. Records look as in its list. */
export function contentFeeds(deps: ReadDeps): FeedSource {
  const feeds = new Map(deps.entities.map((entity) => [entity.name, feedOf(entity, deps)]))
  return {
    list: () => Promise.resolve([...feeds.values()]),
    find: (name) => Promise.resolve(feeds.get(name)),
  }
}

function feedOf(entity: Entity, deps: ReadDeps): Feed {
  const { area, name, needsToken, closedFields } = entity
  const isForAll = needsToken !== true && needsToken !== (deps.profile ?? 'strict')
  return {
    name,
    type: name,
    description: `Records of ${name}, as in GET /v1/${entity.path}`,
    datasets: [name],
    area: area === 'event' ? 'event' : 'content',
    ruleType: area === 'event' ? undefined : name,
    takes: ['fields', 'language', 'rawfilter'],
    // How often a record was saved would reveal when its closed fields changed (decision D34).
    needsToken: !isForAll || closedFields.length > 0,
    open: (query, caller) => open(entity, deps, { query, caller }),
  }
}

type Asked = { readonly query: FeedQuery; readonly caller: FeedCaller }

async function open(entity: Entity, deps: ReadDeps, { query, caller }: Asked): Promise<Reading> {
  const { database, profile = 'strict' } = deps
  const usual = { pagenumber: 1, pagesize: 10, getasidarray: false, removenullvalues: false }
  const { principal, ...rights } = caller
  const isAnonymous = principal.kind === 'anonymous'
  const planning = { ...rights, principal, isAnonymous, database, profile }
  const planned = await planList(entity, { ...usual, ...query }, planning)
  const make = makerOf(entity, deps)
  const planNow = async () => {
    const made = await make?.(planned.representation, caller.visibility)
    return made === undefined ? planned : withMade(planned, made)
  }
  return {
    concerning: sql`
      select sequence, xid, time, id as key, id as target,
        former is not null and ${sawFormer(entity, caller)} as seen,
        case when kind = 'insert' then true
          when former is not null then not ${sawFormer(entity, caller)} end as fresh
      from noted`,
    load: async (ids) => loadRecords(deps, await planNow(), sql`id = any(${ids}::text[])`),
    list: async (after, limit) => {
      const condition = sql`id > ${after ?? ''} order by id limit ${limit}::bigint`
      const { records, entries } = await loadShown(deps, await planNow(), condition)
      return { entries, next: records.length < limit ? undefined : records.at(-1)?.id }
    },
  }
}

/** Whether the caller could see the record as it was before. */
function sawFormer({ area, name }: Entity, { visibility }: FeedCaller): Sql {
  const closed = sql`coalesce((former ->> 'closed')::boolean, true)`
  const origin = sql`former ->> 'origin'`
  return area === 'event'
    ? visible(visibility, 'event', { closed, origin, type: sql`former ->> 'category'` })
    : visible(visibility, 'content', { closed, origin, type: sql`${name}::text` })
}

type Shown = { readonly database: Queryable; readonly publicUrl: string }

async function loadRecords(deps: Shown, plan: ListPlan, condition: Sql): Promise<readonly Entry[]> {
  return (await loadShown(deps, plan, condition)).entries
}

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
 * Has the tables note, for the change feed, what records were that are deleted or that others see from now on
 * (`note_former_record` in `migrations/0029-change-feed.sql`). Safe against two starters at once.
 */
export async function syncFeedTriggers(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockTables(tx)
    const noted = await tx.query<{ entity: string }>(sql`
      select relname as entity from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname = 'note_former_delete' and relnamespace = 'content'::regnamespace`)
    const known = new Set(noted.map(({ entity }) => entity))
    for (const entity of entities.filter(({ type }) => !known.has(type))) {
      const { area, name } = entity
      const columns = area === 'event' ? ['closed', 'origin', 'category'] : ['closed', 'source']
      const rowOf = (row: Sql) =>
        join(
          columns.map((column) => sql`${row}.${identifier(column)}`),
          ', ',
        )
      const note = sql`execute function note_former_record(${literal(name)}, ${literal(area)})`
      await tx.execute(sql`
        create or replace trigger note_former_update after update on ${tableOf(entity)} for each row
        when ((${rowOf(sql`old`)}) is distinct from (${rowOf(sql`new`)})) ${note}`)
      await tx.execute(sql`
        create or replace trigger note_former_delete after delete on ${tableOf(entity)} for each row ${note}`)
    }
  })
}
