import { LRUCache } from 'lru-cache'
import { orderBy, parseCursor, printCursor, standsBehind } from '../content/index.ts'
import type { OrderKey } from '../content/index.ts'
import { inBatches } from '../async/index.ts'
import { weakEtag } from '../http/index.ts'
import { all, identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable as Database, TextRow } from '../storage/index.ts'
import type { Collection, View } from './collection.ts'
import type { ReferenceSystem } from './reference-systems.ts'

/** What of a collection is read, in which order and system. */
export type ItemsPlan = {
  readonly collection: Collection
  readonly view: View
  readonly conditions: readonly Sql[]
  readonly keys: readonly OrderKey[]
  /** The filters as they were written, for the cursor. */
  readonly filters: readonly { readonly parameter: string; readonly text: string }[]
  readonly limit: number
  readonly cursor: string | undefined
  readonly system: ReferenceSystem
  /** Whether it may keep the database busy for seconds. */
  readonly isHeavy: boolean
}

export type Page = {
  readonly version: string
  /** JSON texts of GeoJSON features. */
  readonly features: readonly string[]
  readonly matched: number
  /** Of the page behind this one. */
  readonly next: string | undefined
}

/** How many features match, for as long as nothing was written. */
export type Counts = LRUCache<string, number>

export function rememberCounts(): Counts {
  return new LRUCache({ max: 10_000 })
}

/** The tag of an answer: its address, what the reader sees, and the version of the data. */
export function etagOf(plan: ItemsPlan, version: string, form: readonly string[]): string {
  return weakEtag([version, choiceOf(plan), plan.view.columns.text, ...form])
}

function choiceOf({ view, conditions }: ItemsPlan): string {
  const { text, values } = matchesOf({ view, conditions })
  return JSON.stringify([text, values])
}

export async function loadVersion(database: Database, { version }: Collection): Promise<string> {
  const [row] = await database.texts(sql`select ${version}`)
  return row?.[0] ?? ''
}

const mostReadings = 3

/**
 * A page of features, and how many match in all, of the same version. Under steady writing the two may not
 * meet; then the number is that of a moment close to the page.
 */
export async function loadPage(database: Database, counts: Counts, plan: ItemsPlan): Promise<Page> {
  for (let reading = 1; ; reading++) {
    const { isWhole, ...page } = await readPage(database, plan)
    if (isWhole) return { ...page, matched: page.features.length }
    const { version, count } = await countAt(database, counts, { plan, version: page.version })
    if (version === page.version || reading === mostReadings) return { ...page, matched: count }
  }
}

async function readPage(database: Database, plan: ItemsPlan) {
  const { collection, keys, limit, filters, view } = plan
  const listed = { keys, filters: filters.map((one) => ({ ...one, condition: sql`true` })) }
  const cursor = plan.cursor === undefined ? undefined : parseCursor(listed, plan.cursor)
  const begin = cursor === undefined ? [] : [standsBehind(keys, cursor.values)]
  const names = keys.map(
    ({ value }, index) => sql`(${value})::text as ${identifier(`key ${String(index)}`)}`,
  )
  const ordered = sql`
    select ${collection.key} as feature, ${join(names, ', ')}
    from ${matchesOf({ ...plan, conditions: [...plan.conditions, ...begin] })}
    order by ${orderBy(keys)}
    limit ${limit + 1}::bigint`
  // What is shown of a feature is wide, so it is read once it is known which ones the page has.
  const shownOf = sql`
    select ${printed(plan)} as geometry, ${view.columns} as properties
    from ${matchesOf({ view, conditions: [sql`${collection.key} = page.feature`] })}`
  const rows = await database.texts(sql`
    select version, page.feature, shown.geometry, shown.properties, page.*
    from (select ${collection.version} as version) as dataset
    left join lateral (
      select row_number() over () as place, ordered.* from (${ordered}) as ordered) as page on true
    left join lateral (${shownOf}) as shown on true
    order by page.place`)
  const found = rows.filter(([, id]) => typeof id === 'string')
  const shown = found.slice(0, limit)
  const seen = (cursor?.seen ?? 0) + shown.length
  const last = shown.at(-1)?.slice(6)
  const hasMore = found.length > limit && last !== undefined
  return {
    version: rows[0]?.[0] ?? '',
    features: await toFeatures(shown, view),
    isWhole: cursor === undefined && !hasMore,
    next: hasMore ? printCursor(listed, { seen, values: last }) : undefined,
  }
}

/** Others have their turn in between: records are long. */
async function toFeatures(rows: readonly TextRow[], view: View): Promise<readonly string[]> {
  const features: string[] = []
  const texts = rows.map((row) => ({ row, data: row[3] ?? '' }))
  for await (const batch of inBatches(texts)) {
    for (const { row } of batch) features.push(toFeature(row.slice(1), view))
  }
  return features
}

/** One feature. @returns undefined where the reader sees none of that name */
export async function loadItem(
  database: Database,
  plan: ItemsPlan,
  id: string,
): Promise<{ readonly version: string; readonly feature: string } | undefined> {
  const one = sql`${plan.collection.key} = ${id}`
  const [row] = await database.texts(sql`
    select ${plan.collection.version}, ${plan.collection.key}, ${printed(plan)}, ${plan.view.columns}
    from ${matchesOf({ ...plan, conditions: [one] })}`)
  if (row === undefined) return undefined
  return { version: row[0] ?? '', feature: toFeature(row.slice(1), plan.view) }
}

function matchesOf({ view, conditions }: Pick<ItemsPlan, 'view' | 'conditions'>): Sql {
  return sql`${view.from} where ${all([view.where, ...conditions])}`
}

/** The version is another one than was requested when something was written in between. */
async function countAt(
  database: Database,
  counts: Counts,
  { plan, version }: { readonly plan: ItemsPlan; readonly version: string },
): Promise<{ readonly version: string; readonly count: number }> {
  const key = (of: string) => weakEtag([plan.collection.id, of, choiceOf(plan)])
  const known = counts.get(key(version))
  if (known !== undefined) return { version, count: known }
  const [row] = await database.texts(sql`
    select ${plan.collection.version}, (select count(*) from ${matchesOf(plan)})`)
  const counted = { version: row?.[0] ?? '', count: Number(row?.[1] ?? 0) }
  counts.set(key(counted.version), counted.count)
  return counted
}

/** As GeoJSON, in the system and the order of axes that is requested. */
function printed({ collection: { geometry }, system }: ItemsPlan): Sql {
  const { srid, isLatitudeFirst, digits } = system
  const moved = srid === 4326 ? geometry : sql`place_in_system(${geometry}, ${srid}::integer)`
  const turned = isLatitudeFirst ? sql`st_flipcoordinates(${moved})` : moved
  return sql`st_asgeojson(${turned}, ${digits}::integer, 0)`
}

function toFeature([id, geometry, read]: readonly (string | null)[], view: View): string {
  const name = id ?? ''
  const properties = view.write(read ?? '{}', name)
  return `{"type":"Feature","id":${JSON.stringify(name)},"geometry":${geometry ?? 'null'},"properties":${properties}}`
}
