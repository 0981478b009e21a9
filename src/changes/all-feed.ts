import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Feed, FeedCaller, FeedSource, Reading } from './feed.ts'

/** One of the combined feeds. Its records are keyed by its name and their own key. */
type Part = { readonly feed: Feed; readonly reading: Reading }

const between = '\n'

/** Builds the feed `all`, which combines every feed that needs no token. */
export function allFeed(sources: readonly FeedSource[]): FeedSource {
  const every = async () => (await Promise.all(sources.map((source) => source.every()))).flat()
  const feed: Feed = {
    name: 'all',
    type: 'all',
    description:
      'All feeds that need no token, as one. The type of a message is the name of its feed',
    area: undefined,
    ruleType: undefined,
    isOpen: false,
    takes: [],
    needsToken: false,
    isKnown: () => Promise.resolve(true),
    open: (_query, caller) => open(async () => partsOf(await every(), caller)),
  }
  return {
    list: () => Promise.resolve([feed]),
    every: () => Promise.resolve([]),
    find: (name) => (name === feed.name ? feed : undefined),
  }
}

async function partsOf(
  feeds: readonly Feed[],
  caller: FeedCaller,
): Promise<ReadonlyMap<string, Part>> {
  const open = feeds
    .filter(({ needsToken }) => !needsToken)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(async (feed) => [feed.name, { feed, reading: await feed.open({}, caller) }] as const)
  return new Map(await Promise.all(open))
}

type Parts = ReadonlyMap<string, Part>

/** Opens a reading of all feeds. They are loaded again before each page: new ones may appear. */
async function open(load: () => Promise<Parts>): Promise<Reading> {
  let parts = await load()
  return {
    datasets: datasetsOf(parts),
    concerning: async () => {
      parts = await load()
      return { datasets: datasetsOf(parts), select: (datasets) => concerningOf(parts, datasets) }
    },
    load: async (targets) => {
      const byName = Map.groupBy(targets, (target) => partedAt(target)[0])
      const loaded = [...byName].map(async ([name, some]) => {
        const entries = await parts.get(name)?.reading.load(some.map((one) => partedAt(one)[1]))
        return (entries ?? []).map((entry) => ({ ...entry, key: keyIn(name, entry.key) }))
      })
      return (await Promise.all(loaded)).flat()
    },
    list: async (after, limit) => {
      if (after === undefined) parts = await load()
      return listOn([...parts], after, limit)
    },
    nameOf: (full) => {
      const [type, key] = partedAt(full)
      return { type, key }
    },
  }
}

function datasetsOf(parts: Parts): readonly string[] {
  return [...new Set([...parts.values()].flatMap(({ reading }) => reading.datasets))]
}

const keyIn = (name: string, key: string) => `${encodeURIComponent(name)}${between}${key}`

function partedAt(full: string): readonly [string, string] {
  const place = full.indexOf(between)
  return [decodeURIComponent(full.slice(0, place)), full.slice(place + 1)]
}

function concerningOf(parts: Parts, datasets: readonly string[]): Sql {
  const selects = [...parts].flatMap(([name, { reading }]) => {
    const own = reading.datasets.filter((dataset) => datasets.includes(dataset))
    if (own.length === 0 || typeof reading.concerning === 'function') return []
    return sql`
      select xid, sequence, time, ${keyIn(name, '')}::text || key as key,
        ${keyIn(name, '')}::text || target as target, saw, sees
      from (
        with noted as (select * from noted where dataset = any(${own}::text[]))
        ${reading.concerning}) as part`
  })
  const nothing = sql`
    select xid, sequence, time, id as key, id as target, false as saw, false as sees from noted where false`
  return selects.reduce((left: Sql, right) => sql`${left} union all ${right}`, nothing)
}

/** Lists the records of one feed after the other, ordered by feed name. */
async function listOn(
  parts: readonly (readonly [string, Part])[],
  after: string | undefined,
  limit: number,
): ReturnType<Reading['list']> {
  const [from, within] = after === undefined ? ['', ''] : partedAt(after)
  const place = parts.findIndex(([name]) => name >= from)
  const [name, part] = parts[place] ?? []
  if (name === undefined || part === undefined) return { entries: [], next: undefined }
  const { entries, next } = await part.reading.list(
    name === from && within !== '' ? within : undefined,
    limit,
  )
  const following = parts[place + 1]?.[0]
  return {
    entries: entries.map((entry) => ({ ...entry, key: keyIn(name, entry.key) })),
    next:
      next === undefined
        ? following === undefined
          ? undefined
          : keyIn(following, '')
        : keyIn(name, next),
  }
}
