import { randomUUID } from 'node:crypto'
import { sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import type { Alert, AlertState } from './next-alert.ts'

const columns = sql`rule, subject, value, since, seen, fired, told as notified,
  acknowledged, acknowledged_by as "acknowledgedBy"`

export function listAlerts(database: Queryable): Promise<readonly Alert[]> {
  return database.query<Alert>(sql`select ${columns} from alert order by since, rule, subject`)
}

export async function storeAlerts(tx: Transaction, alerts: readonly Alert[]): Promise<void> {
  const times = (list: readonly (Date | null)[]) => list.map((time) => time?.toISOString() ?? null)
  await tx.execute(sql`
    insert into alert (rule, subject, value, since, seen, fired, told)
    select * from unnest(
      ${alerts.map(({ rule }) => rule)}::text[], ${alerts.map(({ subject }) => subject)}::text[],
      ${alerts.map(({ value }) => String(value))}::double precision[],
      ${times(alerts.map(({ since }) => since))}::timestamptz[],
      ${times(alerts.map(({ seen }) => seen))}::timestamptz[],
      ${times(alerts.map(({ fired }) => fired))}::timestamptz[],
      ${times(alerts.map(({ notified }) => notified))}::timestamptz[])
    on conflict (rule, subject) do update
    set value = excluded.value, seen = excluded.seen, fired = excluded.fired, told = excluded.told`)
}

export async function removeAlerts(tx: Transaction, alerts: readonly Alert[]): Promise<void> {
  await tx.execute(sql`
    delete from alert using unnest(
      ${alerts.map(({ rule }) => rule)}::text[], ${alerts.map(({ subject }) => subject)}::text[]
    ) as ended (rule, subject)
    where alert.rule = ended.rule and alert.subject = ended.subject`)
}

/** Acknowledges an alert. @returns whether the alert exists */
export async function acknowledge(
  database: Queryable,
  {
    rule,
    subject,
    by,
    now,
  }: Pick<Alert, 'rule' | 'subject'> & { readonly by: string; readonly now: Date },
): Promise<boolean> {
  const changed = await database.execute(sql`
    update alert set acknowledged = ${now}, acknowledged_by = ${by}
    where rule = ${rule} and subject = ${subject}`)
  return changed > 0
}

export type Silence = { readonly rule: string; readonly until: Date; readonly by: string }

/** Returns the silences that have not ended. */
export function listSilences(database: Queryable, now: Date): Promise<readonly Silence[]> {
  return database.query<Silence>(sql`
    select rule, until, by_whom as by from alert_silence where until > ${now}`)
}

export async function silence(database: Queryable, { rule, until, by }: Silence): Promise<void> {
  await database.execute(sql`
    insert into alert_silence (rule, until, by_whom) values (${rule}, ${until}, ${by})
    on conflict (rule) do update set until = excluded.until, by_whom = excluded.by_whom`)
}

export async function endSilence(database: Queryable, rule: string): Promise<void> {
  await database.execute(sql`delete from alert_silence where rule = ${rule}`)
}

/**
 * Makes one node evaluate the conditions that are the same on all nodes, so that nodes do not
 * contradict each other. Returns whether it is this one.
 */
export async function takeWatch(database: Queryable, node: string, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + watchLength)
  const taken = await database.execute(sql`
    insert into alert_watch (node, until) values (${node}, ${until})
    on conflict (only_row) do update set node = excluded.node, until = excluded.until
    where alert_watch.node = excluded.node or alert_watch.until < ${now}`)
  return taken > 0
}

/** Milliseconds without renewal after which another node takes over. */
const watchLength = 150_000

export type Notice = {
  readonly id: string
  readonly rule: string
  readonly subject: string
  readonly receiver: string
  readonly state: AlertState
  readonly text: string
  readonly made: Date
  readonly attempts: number
  readonly lastError: string | null
}

const noticeColumns = sql`id, rule, subject, receiver, state, text, made, attempts,
  last_error as "lastError"`

export async function storeNotice(
  tx: Transaction,
  { rule, subject, receiver, state, text, made }: Omit<Notice, 'id' | 'attempts' | 'lastError'>,
): Promise<void> {
  await tx.execute(sql`
    insert into alert_notice (id, rule, subject, receiver, state, text, made, next_attempt)
    values (${randomUUID()}, ${rule}, ${subject}, ${receiver}, ${state}, ${text}, ${made}, ${made})`)
}

/** Returns undelivered notices, oldest first. */
export function listNotices(database: Queryable): Promise<readonly Notice[]> {
  return database.query<Notice>(sql`
    select ${noticeColumns} from alert_notice order by made, id limit 100`)
}

/** Milliseconds for which other nodes do not attempt a claimed notice. */
const attemptLength = 120_000

/** Claims notices that are due. If the node ends without an outcome, another one retries them. */
export function claimNotices(database: Queryable, now: Date): Promise<readonly Notice[]> {
  return database.query<Notice>(sql`
    update alert_notice
    set attempts = attempts + 1, next_attempt = ${new Date(now.getTime() + attemptLength)}
    where id in (
      select id from alert_notice where next_attempt <= ${now}
      order by next_attempt limit 20 for update skip locked)
    returning ${noticeColumns}`)
}

export async function removeNotice(database: Queryable, { id }: Notice): Promise<void> {
  await database.execute(sql`delete from alert_notice where id = ${id}`)
}

export async function postponeNotice(
  database: Queryable,
  { id }: Notice,
  { error, next }: { readonly error: string; readonly next: Date },
): Promise<void> {
  await database.execute(sql`
    update alert_notice set last_error = ${error}, next_attempt = ${next} where id = ${id}`)
}
