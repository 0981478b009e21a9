import { anonymous } from '../access/index.ts'
import type { Principal } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { countSeries, measureGaps } from '../timeseries/index.ts'
import { measure } from './count.ts'
import { keyOf } from './measures.ts'
import { readable, scopes } from './quality-deps.ts'
import type { Measuring, Scope } from './quality-deps.ts'

type Deps = Measuring & { readonly database: Database }

/** Figures of a day are kept for so long: a year can be compared with the one before. In days. */
const keptFor = 400

/** Milliseconds after which another node may measure the day. */
const patience = 3_600_000

const oneDay = 86_400_000

/** Who sees the figures of a scope. */
const readers: Readonly<Record<Scope, Principal>> = {
  open: anonymous,
  all: {
    kind: 'verified',
    ...{ subject: 'hub', client: 'hub', name: 'hub', token: '', roles: new Set(['ADMIN']) },
  },
}

/**
 * Measures the gaps of series and keeps the figures of the day (UTC), unless that has been done. One node does,
 * as soon as there are data.
 */
export async function measureDay(deps: Deps): Promise<void> {
  const { database, now } = deps
  const time = now()
  const day = dateOf(time)
  if (!(await takeDay(database, day, time))) return
  await measureGaps(database, time)
  const rows: Row[] = []
  for (const scope of scopes) rows.push(...(await rowsOf(scope, deps)))
  if (rows.length === 0) return
  await database.transaction(async (tx) => {
    await storeRows(tx, day, rows)
    await tx.execute(sql`
      delete from quality_day where day < ${dateOf(new Date(time.getTime() - keptFor * oneDay))}::date`)
    await tx.execute(sql`update quality_run set day = ${day}::date`)
  })
}

async function takeDay(database: Queryable, day: string, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + patience)
  const taken = await database.execute(sql`
    insert into quality_run (day, until) values (${day}::date - 1, ${until})
    on conflict (only_row) do update set until = excluded.until
    where quality_run.day < ${day}::date and quality_run.until < ${now}`)
  return taken > 0
}

type Row = {
  readonly scope: Scope
  readonly service: 'content' | 'timeseries'
  readonly dataset: string
  readonly source: string
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
}

async function rowsOf(scope: Scope, deps: Deps): Promise<readonly Row[]> {
  const { database, visibilityOf, now } = deps
  const principal = readers[scope]
  const visibility = visibilityOf(principal)
  const rows: Row[] = []
  for (const entity of readable(principal, deps)) {
    const seeing = { ...deps, database: database.read, principal, visibility }
    const { sources } = await measure(entity, seeing)
    for (const [source, { records: total, figures }] of sources) {
      const counts = Object.fromEntries(figures.map((one) => [keyOf(one), one.count]))
      rows.push({ scope, service: 'content', dataset: entity.name, source, total, counts })
    }
  }
  for (const { type, origin, series, figures } of await countSeries(
    database.read,
    visibility,
    now(),
  )) {
    const counts = Object.fromEntries(figures.map((one) => [one.measure, one.count]))
    const of = { service: 'timeseries' as const, dataset: type, source: origin }
    rows.push({ scope, ...of, total: series, counts })
  }
  return rows
}

async function storeRows(tx: Queryable, day: string, rows: readonly Row[]): Promise<void> {
  await tx.execute(sql`
    insert into quality_day (day, scope, service, dataset, source, total, counts)
    select ${day}::date, scope, service, dataset, source, total, counts::jsonb
    from unnest(
      ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ service }) => service)}::text[],
      ${rows.map(({ dataset }) => dataset)}::text[], ${rows.map(({ source }) => source)}::text[],
      ${rows.map(({ total }) => total)}::integer[],
      ${rows.map(({ counts }) => JSON.stringify(counts))}::text[]
    ) as row (scope, service, dataset, source, total, counts)
    on conflict (day, scope, service, dataset, source) do nothing`)
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
