import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Kind } from '../properties.ts'

/** A function of the standard (OGC 18-088, tables 24 and 25), with the types of its arguments. */
export type Function = {
  readonly of: readonly Kind[]
  /** Number of arguments that may be omitted at the end. */
  readonly optional?: number
  readonly gives: Kind
  readonly write: (...values: readonly Sql[]) => Sql
}

type Write<Values extends readonly Sql[]> = (...values: Values) => Sql

const one = (of: Kind, gives: Kind, write: Write<[Sql]>): Function => ({
  of: [of],
  gives,
  write: (value = sql`null`) => write(value),
})

const two = (of: readonly [Kind, Kind], gives: Kind, write: Write<[Sql, Sql]>): Function => ({
  of,
  gives,
  write: (first = sql`null`, second = sql`null`) => write(first, second),
})

const texts = (gives: Kind, write: Write<[Sql, Sql]>) => two(['text', 'text'], gives, write)

/** Extracts a field of a time, in UTC. */
const part = (field: Sql) =>
  one(
    'time',
    'number',
    (value) => sql`extract(${field} from ${value} at time zone 'UTC')::double precision`,
  )

const formatted = (form: string) =>
  one('time', 'text', (value) => sql`to_char(${value} at time zone 'UTC', ${form}::text)`)

/**
 * Prepares a geometry for the relations of PostGIS that support neither collections nor areas that
 * cross themselves.
 */
const plain = (place: Sql) => sql`st_collectionextract(st_makevalid(${place}))`

const relation = (name: Sql) =>
  two(
    ['geometry', 'geometry'],
    'boolean',
    (left, right) => sql`${name}(${plain(left)}, ${plain(right)})`,
  )

const intersects = relation(sql`st_intersects`)

/** Limits a position or length to the range from 0 to 1,000,000. Texts are shorter than that. */
const place = (value: Sql) => sql`least(greatest(${value}, 0), 1000000)::integer`

const functions: ReadonlyMap<string, Function> = new Map<string, Function>([
  ['substringof', texts('boolean', (piece, whole) => sql`(strpos(${whole}, ${piece}) > 0)`)],
  ['contains', texts('boolean', (whole, piece) => sql`(strpos(${whole}, ${piece}) > 0)`)],
  ['startswith', texts('boolean', (whole, start) => sql`starts_with(${whole}, ${start})`)],
  ['endswith', texts('boolean', (whole, end) => sql`(right(${whole}, length(${end})) = ${end})`)],
  ['length', one('text', 'number', (value) => sql`length(${value})::double precision`)],
  [
    'indexof',
    texts('number', (whole, piece) => sql`(strpos(${whole}, ${piece}) - 1)::double precision`),
  ],
  [
    'substring',
    {
      ...{ of: ['text', 'number', 'number'], optional: 1, gives: 'text' },
      write: (value, from = sql`0`, length = sql`1000000`) =>
        sql`substr(${value}, ${place(from)} + 1, ${place(length)})`,
    },
  ],
  ['tolower', one('text', 'text', (value) => sql`lower(${value})`)],
  ['toupper', one('text', 'text', (value) => sql`upper(${value})`)],
  ['trim', one('text', 'text', (value) => sql`btrim(${value})`)],
  ['concat', texts('text', (first, second) => sql`(${first} || ${second})`)],
  ['year', part(sql`year`)],
  ['month', part(sql`month`)],
  ['day', part(sql`day`)],
  ['hour', part(sql`hour`)],
  ['minute', part(sql`minute`)],
  [
    'second',
    one('time', 'number', (value) => sql`floor(extract(second from ${value}))::double precision`),
  ],
  [
    'fractionalseconds',
    one('time', 'number', (value) => sql`(extract(second from ${value}) % 1)::double precision`),
  ],
  ['date', formatted('YYYY-MM-DD')],
  ['time', formatted('HH24:MI:SS.MS')],
  // All times are in UTC.
  [
    'totaloffsetminutes',
    one(
      'time',
      'number',
      (value) => sql`(case when ${value} is not null then 0 end)::double precision`,
    ),
  ],
  ['now', { of: [], gives: 'time', write: () => sql`now()` }],
  ['mindatetime', { of: [], gives: 'time', write: () => sql`'0001-01-01Z'::timestamptz` }],
  [
    'maxdatetime',
    { of: [], gives: 'time', write: () => sql`'9999-12-31T23:59:59.999Z'::timestamptz` },
  ],
  ['round', one('number', 'number', (value) => sql`round((${value})::numeric)::double precision`)],
  ['floor', one('number', 'number', (value) => sql`floor(${value})`)],
  ['ceiling', one('number', 'number', (value) => sql`ceiling(${value})`)],
  [
    'geo.distance',
    two(
      ['geometry', 'geometry'],
      'number',
      (left, right) => sql`st_distance((${left})::geography, (${right})::geography)`,
    ),
  ],
  ['geo.length', one('geometry', 'number', (line) => sql`st_length((${line})::geography)`)],
  ['geo.intersects', intersects],
  ['st_intersects', intersects],
  ['st_equals', relation(sql`st_equals`)],
  ['st_disjoint', relation(sql`st_disjoint`)],
  ['st_touches', relation(sql`st_touches`)],
  ['st_within', relation(sql`st_within`)],
  ['st_overlaps', relation(sql`st_overlaps`)],
  ['st_crosses', relation(sql`st_crosses`)],
  ['st_contains', relation(sql`st_contains`)],
  [
    'st_relate',
    {
      ...{ of: ['geometry', 'geometry', 'text'], gives: 'boolean' },
      // PostGIS would fail for a pattern of any other form.
      write: (left = sql`null`, right = sql`null`, pattern = sql`null`) => sql`
        st_relate(${plain(left)}, ${plain(right)}, substring(${pattern} from '^[TF*012tf]{9}$'))`,
    },
  ],
])

export const functionNames: readonly string[] = [...functions.keys()]

export function findFunction(name: string): Function | undefined {
  return functions.get(name)
}
