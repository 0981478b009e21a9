import { LRUCache } from 'lru-cache'
import { all, empty, join, sql, unestimated } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import type { Representation } from '../representation.ts'
import { rememberWritten } from '../write-whole.ts'
import type { WrittenAnswers } from '../write-whole.ts'
import type { ChosenSeries, Part } from './choose-series.ts'
import { unpackPlain } from './packing.ts'
import { at, isOf, listsOf, unpackPlaced, valueStatement } from './value-rows.ts'
import type { Run, ValueReading } from './value-rows.ts'

/** The latest values of some series as they were last read. A new state is a new object. */
type Known = {
  /** Rows by the position of their series; undefined for a series without a value. */
  readonly rows: readonly (TextRow | undefined)[]
  /** The list of the tree that each series belongs to. */
  readonly lists: Int32Array
  /** Positions of the series, in the order of the response. */
  readonly order: readonly number[]
  /** Changes by this transaction and later ones may be missing. */
  readonly since: string
  readonly written: WrittenAnswers
  /** Version of what describes the series. */
  readonly catalogue: string
}

export type LatestMemory = ReturnType<typeof rememberLatest>

/** Memory of a row in bytes, without the texts written from it. */
const bytesOfRow = 400

/**
 * Milliseconds without a query after which reading everything costs less than finding out what
 * changed.
 */
const longest = 60_000

/**
 * Caches the latest values of chosen series for as long as their choice is cached. The changes,
 * which are stored in order, show which series have new values, so that only these are read. That
 * happens in the same statement that returns the versions, so a response is always of one state.
 * @param maxBytes limit on the memory of all values
 */
export function rememberLatest(maxBytes: number) {
  const known = new LRUCache<readonly string[], Map<string, Known>>({
    maxSize: Math.max(1, maxBytes),
    // Texts that are written after a query are counted with the next one.
    sizeCalculation: (forms, ids) =>
      [...forms.values()].reduce((sum, { written }) => sum + written.bytes(), 1) +
      forms.size * ids.length * bytesOfRow,
    ttl: longest,
  })
  return {
    find: ({ ids }: ChosenSeries, name: string) => known.get(ids)?.get(name),
    keep: ({ ids }: ChosenSeries, name: string, state: Known) => {
      known.set(ids, new Map(known.get(ids)).set(name, state))
    },
  }
}

type Latest = {
  readonly memory: LatestMemory
  readonly reading: ValueReading
  readonly structure: Representation['structure']
  /** Selects the names of the datasets of the values. */
  readonly datasets: Sql
  readonly run: Run
  /** Returns the xmin of the snapshot of the first statement that was run. */
  readonly since: () => string
}

/** Reads latest values: all of them, or only those that have changed since they were cached. */
export async function* walkLatest(latest: Latest): AsyncGenerator<Part, void, undefined> {
  const { memory, reading, structure, datasets, run, since } = latest
  const { series, packed, values } = reading
  const parts = [values.where, ...packed.map(({ column }) => column)]
  const name = JSON.stringify([structure, parts.map((part) => [part.text, part.values])])
  const known = redescribed(memory.find(series, name), series)
  const statement = known ? changesOf(reading, datasets, known.since) : everything(reading)
  const groups = await run(statement, packed.length)
  const state = nextState(latest, known, groups)
  memory.keep(series, name, { ...state, since: since(), catalogue: series.catalogue })
  const rows = state.order.map((place) => state.rows[place] ?? [])
  yield { rows, isLast: true, written: state.written }
}

/**
 * Returns a row for each chosen station. It is the same object as before if the station did not
 * change.
 */
export function recallStations(memory: LatestMemory, series: ChosenSeries) {
  const { catalogue, stations } = series
  const name = 'stations'
  const known = redescribed(memory.find(series, name), series)
  const rows = known?.rows ?? stations.map((id) => [null, id])
  const written = known?.written ?? answersOf(series)
  memory.keep(series, name, { ...asChosen, rows, written, catalogue })
  return { rows: rows.map((row) => row ?? []), written }
}

/** Stations have no time, and are chosen in the order of the response. */
const asChosen = { lists: new Int32Array(), order: [], since: '' }

/**
 * Returns the known values for the current catalogue. Written texts are cached by row object, so
 * copying the rows of changed stations drops their texts. If it is not known what has changed, all
 * texts are dropped.
 */
function redescribed(known: Known | undefined, series: ChosenSeries) {
  const { before, catalogue, stations } = series
  if (known === undefined || known.catalogue === catalogue) return known
  if (before?.catalogue !== known.catalogue) return { ...known, written: answersOf(series) }
  const rows = known.rows.map((row, place) =>
    row !== undefined && before.changed.has(stations[place] ?? '') ? [...row] : row,
  )
  return { ...known, rows }
}

const bytesOfAnswers = 3200

const answersOf = ({ ids }: ChosenSeries) => rememberWritten(ids.length * bytesOfAnswers)

const unlimited = Number.MAX_SAFE_INTEGER

function everything(reading: ValueReading): Sql {
  const { series } = reading
  const ids = series.share.kind === 'few' ? series.ids : undefined
  return valueStatement(
    reading,
    { ids, from: undefined, until: undefined, limit: unlimited },
    'byTime',
  )
}

/**
 * Selects the values of changed series, then the ids of all changed series, because some may have
 * no value now. A change whose id is not a number concerns a month that was put away.
 */
function changesOf(reading: ValueReading, datasets: Sql, since: string): Sql {
  const { series, values, packed } = reading
  const changed = sql`
    select distinct case when noted.id ~ '^[0-9]+$' then noted.id::integer end as id
    from (${datasets}) as known (name) cross join lateral (
      select id from change
      where dataset = known.name and xid >= ${unestimated(sql`${since}::xid8`)} order by xid) as noted`
  // Other shares are handled where the values are read.
  const chosen = all(series.share.kind === 'few' ? [isOf(series.ids)] : [])
  const relation = sql`(
    select * from ${values.relation} as m
    where m.series_id = any(array(${changed})) and ${chosen})`
  const of = { ...reading, values: { ...values, relation } }
  const cut = { ids: undefined, from: undefined, until: undefined, limit: unlimited }
  const nothing = join(new Array<Sql>(packed.length).fill(sql`null`), ', ')
  return sql`
    (${valueStatement(of, cut, 'byTime')})
    union all select null, 0, array_agg(id)::text${packed.length === 0 ? empty : sql`, ${nothing}`}
    from (${changed}) as changed`
}

function nextState(
  { reading, structure }: Latest,
  known: Known | undefined,
  groups: readonly TextRow[],
) {
  const { series, packed } = reading
  const isMark = ([, count]: TextRow) => count === '0'
  const rows = known?.rows.slice() ?? []
  const changed = new Set<number>()
  for (const id of unpackPlain(groups.find(isMark)?.[2] ?? '{}')) {
    const place = series.placeOf.get(id)
    if (place === undefined) continue
    changed.add(place)
    rows[place] = undefined
  }
  const found: number[] = []
  unpackPlaced(series, packed)(
    groups.filter((group) => !isMark(group)),
    (row, place) => {
      rows[place] = row
      found.push(place)
    },
  )
  const lists = known?.lists ?? listsIn(series, structure)
  const compare = compareIn(lists, rows)
  const kept = known?.order.filter((place) => !changed.has(place)) ?? []
  return {
    rows,
    lists,
    order: changed.size === 0 && known ? known.order : merge(kept, found.sort(compare), compare),
    written: known?.written ?? answersOf(series),
  }
}

type Compare = (one: number, other: number) => number

/**
 * Compares by list of the tree, by time, then by position. PostgreSQL's times in years of four
 * digits sort as text.
 */
function compareIn(lists: Int32Array, rows: Known['rows']): Compare {
  return (one, other) => {
    const [first, second] = [rows[one]?.[at.time] ?? '', rows[other]?.[at.time] ?? '']
    const byTime = first === second ? one - other : first < second ? -1 : 1
    return (lists[one] ?? 0) - (lists[other] ?? 0) || byTime
  }
}

/**
 * Returns the list of the tree for each series. Series of the same station and data type share a
 * list. Flat rows have none.
 */
function listsIn(series: ChosenSeries, structure: Representation['structure']): Int32Array {
  if (structure === 'flat') return new Int32Array()
  const starts = new Set(listsOf(series))
  let list = 0
  return Int32Array.from(series.ids, (_id, place) => (starts.has(place) ? ++list : list))
}

function merge(first: readonly number[], second: readonly number[], compare: Compare): number[] {
  const merged: number[] = []
  let from = 0
  for (const place of second) {
    for (
      let next = first[from];
      next !== undefined && compare(next, place) < 0;
      next = first[from]
    ) {
      merged.push(next)
      from += 1
    }
    merged.push(place)
  }
  return merged.concat(first.slice(from))
}
