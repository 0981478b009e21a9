import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Every } from '../access/index.ts'
import { joinRunning } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import {
  listAlerts,
  listSilences,
  removeAlerts,
  storeAlerts,
  storeNotice,
  takeWatch,
} from './alert-store.ts'
import { conditions, errorMeter } from './conditions.ts'
import type { Measured, Measuring } from './conditions.ts'
import { nextAlert } from './next-alert.ts'
import type { Alert, Next, Seen } from './next-alert.ts'
import type { AlertFile, AlertRule } from './rules.ts'

export type WatchDeps = {
  readonly database: Database
  readonly file: AlertFile
  readonly metrics: Registry
  readonly node: string
  readonly now: () => Date
}

type Deps = WatchDeps & { readonly every: Every; readonly onError: (error: unknown) => void }

const oneMinute = 60_000

/**
 * Evaluates the rules every minute. @returns ends it. The first minute is left out: a hub that has just started has not
 * measured everything yet.
 */
export function watchRules(deps: Deps): () => void {
  const look = evaluation(deps)
  let minutes = 0
  return deps.every(oneMinute, () => {
    minutes += 1
    if (minutes > 1) void look().catch(deps.onError)
  })
}

/** Evaluates every rule once. */
export function evaluation(deps: WatchDeps): () => Promise<void> {
  const { database, file, node, now } = deps
  const by = measuringBy(deps)
  const show = firingGauge(deps.metrics)
  return joinRunning(async () => {
    const time = now()
    const isFirst = await takeWatch(database, node, time)
    const rules = file.rules.filter(({ watch }) => isFirst || conditions[watch].scope === 'node')
    const found = new Map<AlertRule, readonly Measured[]>()
    const percent = await by.errors()
    const measuring = { ...by, errors: () => Promise.resolve(percent) }
    for (const rule of rules) found.set(rule, await measure(measuring, rule))
    await database.transaction((tx) => note(tx, { file, found, time }))
    show(await listAlerts(database))
  })
}

async function measure(by: Measuring, { watch, of }: AlertRule): Promise<readonly Measured[]> {
  const measured = await conditions[watch].measure(by, of ?? '')
  return of === undefined ? measured : measured.filter(({ subject }) => subject === of)
}

function measuringBy({ database, metrics, node, now }: WatchDeps): Measuring {
  const samples: Measuring['samples'] = async (name) =>
    (await metrics.getSingleMetric(name)?.get())?.values ?? []
  const silentFor = async (stream: string) => {
    const [last] = await database.query<{ readonly received: Date }>(sql`
      select received from message where stream = ${stream} order by received desc limit 1`)
    return last === undefined ? Infinity : (now().getTime() - last.received.getTime()) / oneMinute
  }
  return { samples, silentFor, errors: errorMeter(samples), node }
}

type Noting = {
  readonly file: AlertFile
  readonly found: ReadonlyMap<AlertRule, readonly Measured[]>
  readonly time: Date
}

async function note(tx: Transaction, { file, found, time }: Noting): Promise<void> {
  // Nodes take their turns: each sees what the one before has stored.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('alert', 0))`)
  const before = await listAlerts(tx)
  const silenced = new Set((await listSilences(tx, time)).map(({ rule }) => rule))
  const outcomes = [...found].flatMap(([rule, measured]) => {
    const known = before.filter((one) => one.rule === rule.name)
    const silence = silenced.has(rule.name) ? 'silenced' : 'heard'
    return compare(known, measured, { rule, now: time, silence })
  })
  await storeAlerts(
    tx,
    outcomes.flatMap(({ alert }) => alert ?? []),
  )
  const names = new Set(file.rules.map(({ name }) => name))
  const ended = outcomes.flatMap(({ old, alert }) => (alert === undefined ? (old ?? []) : []))
  await removeAlerts(tx, [...ended, ...before.filter(({ rule }) => !names.has(rule))])
  const notices = outcomes.flatMap((outcome) => noticesOf(outcome, file, time))
  for (const notice of notices) await storeNotice(tx, notice)
}

type Outcome = Next & { readonly rule: AlertRule; readonly old: Alert | undefined }

/** What becomes of each subject of a rule that was known or has been measured now. */
function compare(
  known: readonly Alert[],
  measured: readonly Measured[],
  seen: Seen,
): readonly Outcome[] {
  const old = new Map(known.map((one) => [one.subject, one]))
  const found = new Map(measured.map((one) => [one.subject, one]))
  const subjects = new Set([...found.keys(), ...old.keys()])
  return [...subjects].map((subject) => ({
    ...nextAlert(old.get(subject), found.get(subject), seen),
    rule: seen.rule,
    old: old.get(subject),
  }))
}

function noticesOf({ rule, old, alert = old, notify }: Outcome, file: AlertFile, made: Date) {
  if (notify === undefined || alert === undefined) return []
  const receivers = rule.to ?? file.receivers.map(({ name }) => name)
  const text = describe(rule, alert)
  const about = { rule: rule.name, subject: alert.subject, state: notify, text, made }
  return receivers.map((receiver) => ({ ...about, receiver }))
}

/** What an alert says, for people. */
export function describe(
  { watch }: Pick<AlertRule, 'watch'>,
  { subject, value }: Pick<Alert, 'subject' | 'value'>,
): string {
  if (value === Infinity) return `No message has ever come to ${subject}`
  const rounded = value < 10 ? Math.round(value * 10) / 10 : Math.round(value)
  return conditions[watch].describe(subject, String(rounded))
}

function firingGauge(metrics: Registry): (alerts: readonly Alert[]) => void {
  const gauge = new Gauge({
    name: 'hub_alerts_firing',
    help: 'Alerts that are firing, by rule (HUB_ALERTS)',
    labelNames: ['rule'],
    registers: [metrics],
  })
  return (alerts) => {
    gauge.reset()
    for (const { rule, fired } of alerts) if (fired !== null) gauge.inc({ rule })
  }
}
