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
  /** By the place of the series; of some there is none. */
  readonly rows: readonly (TextRow | undefined)[]
  /** The list of the tree in which each series stands. */
  readonly lists: Int32Array
  /** Places, in the order of the answer. */
  readonly order: readonly number[]
  /** What transactions from this one on have written may be missing. */
  readonly since: string
  readonly written: WrittenAnswers
  /** Of what describes the series. */
  readonly catalogue: string
}

export type LatestMemory = ReturnType<typeof rememberLatest>

/** What a row takes, without what was written of it. */
const bytesOfRow = 400

/** After this many milliseconds without a read, reading all again costs less than finding out what changed. */
const longest = 60_000

/**
 * Latest values of series that were chosen, as long as their choice is remembered. The change order says
 * of which series there are others now, so that these alone are read: in the very statement that names the
 * versions, so an answer is of one state as ever.
 * @param mostBytes of all of them
 */
export function rememberLatest(mostBytes: number) {
  const known = new LRUCache<readonly string[], Map<string, Known>>({
    maxSize: Math.max(1, mostBytes),
    // What was written since the last read is counted with the next one.
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
  /** The names of the datasets of the values. */
  readonly datasets: Sql
  readonly run: Run
  /** The snapshot of the first statement that was run. */
  readonly since: () => string
}

/** Reads latest values: all of them, or those that are other ones than in the memory. */
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

/** A row for each station that was chosen, the same as before where the station did not change. */
export function recallStations(memory: LatestMemory, series: ChosenSeries) {
  const { catalogue, stations } = series
  const name = 'stations'
  const known = redescribed(memory.find(series, name), series)
  const rows = known?.rows ?? stations.map((id) => [null, id])
  const written = known?.written ?? answersOf(series)
  memory.keep(series, name, { ...asChosen, rows, written, catalogue })
  return { rows: rows.map((row) => row ?? []), written }
}

/** Stations have no time, and are chosen in the order of the answer. */
const asChosen = { lists: new Int32Array(), order: [], since: '' }

/** The values as they are where their stations changed: what was written of those is forgotten, as texts go by rows. */
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
 * The values of series that something was written of (what is no number is a month that was put away), then the
 * ids of all those: some may have no value now.
 */
function changesOf(reading: ValueReading, datasets: Sql, since: string): Sql {
  const { series, values, packed } = reading
  const changed = sql`
    select distinct case when noted.id ~ '^[0-9]+$' then noted.id::integer end as id
    from (${datasets}) as known (name) cross join lateral (
      select id from change
      where dataset = known.name and xid >= ${unestimated(sql`${since}::xid8`)} order by xid) as noted`
  // The other shares are distinguished where the values are read.
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

/** By list of the tree, by time, then by place. Times of PostgreSQL, in years of four digits, are ordered as texts are. */
function compareIn(lists: Int32Array, rows: Known['rows']): Compare {
  return (one, other) => {
    const [first, second] = [rows[one]?.[at.time] ?? '', rows[other]?.[at.time] ?? '']
    const byTime = first === second ? one - other : first < second ? -1 : 1
    return (lists[one] ?? 0) - (lists[other] ?? 0) || byTime
  }
}

/** In which list of the tree each series stands: those of one station and data type share one. Flat rows have none. */
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
