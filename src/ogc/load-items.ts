import { LRUCache } from 'lru-cache'
import { inBatches, shareRunning } from '../async/index.ts'
import { orderBy, parseCursor, printCursor, standsBehind } from '../content/index.ts'
import type { OrderKey } from '../content/index.ts'
import { weakEtag } from '../http/index.ts'
import { all, identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable as Database, TextRow } from '../storage/index.ts'
import type { Collection, View } from './collection.ts'
import type { ReferenceSystem } from './reference-systems.ts'

/** The query for features: which ones, in which order and in which reference system. */
export type ItemsPlan = {
  readonly collection: Collection
  readonly view: View
  readonly conditions: readonly Sql[]
  readonly keys: readonly OrderKey[]
  /** The filters as the client wrote them, to which a cursor is bound. */
  readonly filters: readonly { readonly parameter: string; readonly text: string }[]
  readonly limit: number
  readonly cursor: string | undefined
  readonly system: ReferenceSystem
  /** True if the query may keep the database busy for seconds. */
  readonly isHeavy: boolean
}

export type Page = {
  readonly version: string
  /** JSON texts of GeoJSON features, in batches. */
  readonly features: AsyncIterable<readonly string[]>
  readonly matched: number
  /** Cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

type Counted = { readonly version: string; readonly count: number }

/**
 * Cached numbers of matching features, by the key of the conditions that select them. A count is
 * exact for the version that is stored with it.
 */
export type Counts = {
  readonly last: LRUCache<string, Counted>
  readonly share: ReturnType<typeof shareRunning<Counted>>
}

export function rememberCounts(): Counts {
  return { last: new LRUCache({ max: 10_000 }), share: shareRunning() }
}

/**
 * Returns the part of the ETag that does not depend on the version of the data: what the reader
 * sees, and in which form.
 */
export function markOf(plan: ItemsPlan, form: readonly string[]): string {
  return weakEtag([choiceOf(plan), plan.view.columns.text, ...form])
}

/**
 * Returns a key for the conditions that select the features, including the rights of the reader.
 */
function choiceOf({ collection, view, conditions }: ItemsPlan): string {
  const { text, values } = matchesOf({ view, conditions })
  return weakEtag([collection.id, JSON.stringify([text, values])])
}

export async function loadVersion(database: Database, { version }: Collection): Promise<string> {
  const [row] = await database.texts(sql`select ${version}`)
  return row?.[0] ?? ''
}

/** Largest page that is read at once. A larger one is read in chunks, as the client consumes it. */
export const maxAtOnce = 1000

/**
 * Maximum number of matches that are sorted. If there are more, a page is read in the order of an
 * index, and the matches are counted separately.
 */
const maxSorted = 10_000

const maxReadings = 3

/**
 * Loads a page of features and the total number of matches, both for the same version of the data.
 * If no more than some thousands match, one statement finds all of them for both. Otherwise the
 * versions may differ under constant writing; then the total is of a moment close to the page.
 */
export async function loadPage(database: Database, counts: Counts, plan: ItemsPlan): Promise<Page> {
  const choice = choiceOf(plan)
  const { last, share } = counts
  if (plan.conditions.length > 0 && (last.get(choice)?.count ?? 0) <= maxSorted) {
    const { found, ...page } = await readPage(database, plan, allMatches(plan))
    if (found <= maxSorted) {
      last.set(choice, { version: page.version, count: found })
      return { ...page, matched: found }
    }
  }
  for (let reading = 1; ; reading++) {
    const { isWhole, shown, ...page } = await readPage(database, plan, inOrder(plan))
    if (isWhole) return { ...page, matched: shown }
    const known = last.get(choice)
    const count = () => share(`${choice} ${page.version}`, () => countMatches(database, plan))
    const counted = known?.version === page.version ? known : await count()
    last.set(choice, counted)
    if (counted.version === page.version || reading === maxReadings) {
      return { ...page, matched: counted.count }
    }
  }
}

/** Where a page is cut from: rows with the keys of features, and the keys of their order. */
type Source = {
  /** SQL that precedes the whole statement. */
  readonly before: Sql
  readonly from: (behind: readonly Sql[]) => Sql
  readonly feature: Sql
  readonly keys: readonly OrderKey[]
  /** Number of matches, up to one more than are sorted; 0 if they are not counted. */
  readonly found: Sql
}

function inOrder(plan: ItemsPlan): Source {
  const { collection, keys, conditions } = plan
  return {
    before: sql``,
    from: (behind) => matchesOf({ ...plan, conditions: [...conditions, ...behind] }),
    feature: collection.key,
    keys,
    found: sql`0`,
  }
}

/** Finds all matches first, by the index of a condition or by all parallel workers at once. */
function allMatches(plan: ItemsPlan): Source {
  const named = plan.keys.map((key, index) => ({ key, name: identifier(`key ${String(index)}`) }))
  const columns = named.map(({ key, name }) => sql`${key.value} as ${name}`)
  const found = sql`(select count(*) from matches)`
  return {
    before: sql`
      with matches as materialized (
        select ${plan.collection.key} as feature, ${join(columns, ', ')}
        from ${matchesOf(plan)} limit ${maxSorted + 1}::bigint)`,
    from: (behind) => sql`matches where ${all([sql`${found} <= ${maxSorted}::bigint`, ...behind])}`,
    feature: sql`feature`,
    keys: named.map(({ key, name }) => ({ ...key, value: name })),
    found,
  }
}

/** Number of columns before the values of the sort keys. */
const columnsBefore = 5

async function readPage(database: Database, plan: ItemsPlan, source: Source) {
  const { collection, keys, limit, filters, view } = plan
  const listed = { keys, filters: filters.map((one) => ({ ...one, condition: sql`true` })) }
  const cursor = plan.cursor === undefined ? undefined : parseCursor(listed, plan.cursor)
  const behind = cursor === undefined ? [] : [standsBehind(source.keys, cursor.values)]
  // The texts need names of their own: `order by` would use a text that has the same name as its
  // column.
  const texts = source.keys.map(
    ({ value }, index) => sql`(${value})::text as ${identifier(`text ${String(index)}`)}`,
  )
  const ordered = sql`
    select ${source.feature} as feature, ${join(texts, ', ')}
    from ${source.from(behind)}
    order by ${orderBy(source.keys)}
    limit ${limit + 1}::bigint`
  const isLong = limit > maxAtOnce
  const named = texts.map((_, index) => sql`page.${identifier(`text ${String(index)}`)}`)
  const rows = await database.texts(sql`
    ${source.before}
    select version, ${source.found}, page.feature,
      ${isLong ? sql`null, null` : sql`shown.geometry, shown.properties`}, ${join(named, ', ')}
    from (select ${collection.version} as version) as dataset
    left join lateral (
      select row_number() over () as place, ordered.* from (${ordered}) as ordered) as page on true
    ${isLong ? sql`` : sql`left join lateral (${shownOf(plan, sql`page.feature`)}) as shown on true`}
    order by page.place`)
  const matches = rows.filter(([, , id]) => typeof id === 'string')
  const page = matches.slice(0, limit)
  const last = page.at(-1)?.slice(columnsBefore)
  const hasMore = matches.length > limit && last !== undefined
  const seen = (cursor?.seen ?? 0) + page.length
  return {
    version: rows[0]?.[0] ?? '',
    found: Number(rows[0]?.[1] ?? 0),
    shown: page.length,
    features: isLong ? inChunks(database, plan, page) : toFeatures(page, view),
    isWhole: cursor === undefined && !hasMore,
    next: hasMore ? printCursor(listed, { seen, values: last }) : undefined,
  }
}

/**
 * Selects what is shown of a feature. It is wide, so it is read only once the features of the page
 * are known.
 */
function shownOf(plan: ItemsPlan, feature: Sql): Sql {
  const { collection, view } = plan
  return sql`
    select ${printed(plan)} as geometry, ${view.columns} as properties
    from ${matchesOf({ view, conditions: [sql`${collection.key} = ${feature}`] })}`
}

/** Features that one statement reads of a long page. */
const featuresPerChunk = 100

/**
 * Reads the features of a long page as they are consumed: with short statements, without holding a
 * connection, in constant memory. The conditions are checked again, so features that have been
 * deleted or closed in the meantime are not shown.
 */
async function* inChunks(database: Database, plan: ItemsPlan, page: readonly TextRow[]) {
  const { collection, view } = plan
  for (let first = 0; first < page.length; first += featuresPerChunk) {
    const ids = page.slice(first, first + featuresPerChunk).map(([, , id]) => id)
    const isWanted = sql`${collection.key} = any(${ids}::text[])`
    const rows = await database.texts(sql`
      select null, null, ${collection.key}, ${printed(plan)}, ${view.columns}
      from ${matchesOf({ ...plan, conditions: [isWanted, ...plan.conditions] })}
      order by array_position(${ids}::text[], ${collection.key})`)
    yield* toFeatures(rows, view, maxPerPiece)
  }
}

/**
 * Maximum number of characters per piece. Longer texts are large objects to V8 (128 kB), which it
 * collects late.
 */
const maxPerPiece = 50_000

/** Prints features in batches and lets other requests run in between, because records are long. */
async function* toFeatures(rows: readonly TextRow[], view: View, most?: number) {
  const texts = rows.map((row) => ({ row, data: row[4] ?? '' }))
  for await (const batch of inBatches(texts, most)) {
    yield batch.map(({ row }) => toFeature(row.slice(2), view))
  }
}

/**
 * Loads one feature.
 * @returns undefined if the reader sees no feature with this id
 */
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

/**
 * Counts the matches. The version differs from the requested one if something was written in the
 * meantime.
 */
async function countMatches(database: Database, plan: ItemsPlan): Promise<Counted> {
  const [row] = await database.texts(sql`
    select ${plan.collection.version}, (select count(*) from ${matchesOf(plan)})`)
  return { version: row?.[0] ?? '', count: Number(row?.[1] ?? 0) }
}

/** Returns SQL for the geometry as GeoJSON, in the requested system and order of axes. */
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
