import { visible } from '../access/index.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Entry, Reading } from '../changes/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { makerOf, withMade } from './datasets/index.ts'
import type { Entity } from './entity.ts'
import { matchesOf } from './list/load-page.ts'
import { planList, rewriteRecords } from './list/plan.ts'
import type { ListPlan } from './list/plan.ts'
import type { ReadDeps } from './read-deps.ts'
import { dataOf, represent } from './representation.ts'
import { itemAddress } from './table.ts'

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
