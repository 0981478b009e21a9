import { createTransport } from 'nodemailer'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Every } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable, Transaction } from '../storage/index.ts'
import {
  claimNotices,
  listAlerts,
  listSilences,
  postponeNotice,
  removeAlerts,
  removeNotice,
  storeAlerts,
  storeNotice,
  takeWatch,
} from './alert-store.ts'
import type { Notice } from './alert-store.ts'
import { conditions, errorMeter } from './conditions.ts'
import type { Measured, Measuring } from './conditions.ts'
import { nextAlert } from './next-alert.ts'
import type { Alert, Next, Seen } from './next-alert.ts'
import type { AlertFile, AlertRule, Receiver } from './rules.ts'
import { postSigned } from '../changes/index.ts'
import type { Outside } from '../http/index.ts'

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
 * Evaluates the rules every minute, except the first: a hub that has just started has not measured
 * everything yet.
 * @returns a function that stops the evaluation
 */
export function watchRules(deps: Deps): () => void {
  const look = evaluation(deps)
  let minutes = 0
  return deps.every(oneMinute, () => {
    minutes += 1
    return minutes > 1 ? look().catch(deps.onError) : undefined
  })
}

/** Returns a function that evaluates every rule once. */
export function evaluation(deps: WatchDeps): () => Promise<void> {
  const { database, file, node, now } = deps
  const by = measuringBy(deps)
  const show = firingGauge(deps.metrics)
  return async () => {
    const time = now()
    const isFirst = await takeWatch(database, node, time)
    const rules = file.rules.filter(({ watch }) => isFirst || conditions[watch].scope === 'node')
    const found = new Map<AlertRule, readonly Measured[]>()
    const percent = await by.errors()
    const measuring = { ...by, errors: () => Promise.resolve(percent) }
    for (const rule of rules) found.set(rule, await measure(measuring, rule))
    await database.transaction((tx) => note(tx, { file, found, time }))
    show(await listAlerts(database))
  }
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
  // Serializes the nodes, so that each sees what the previous one stored.
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

/** Computes the outcome for each subject of a rule that was known or is measured now. */
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

/** Describes an alert to people. */
export function describe(
  { watch }: Pick<AlertRule, 'watch'>,
  { subject, value }: Pick<Alert, 'subject' | 'value'>,
): string {
  if (value === Infinity) return `No message has ever arrived on ${subject}`
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

/** Sends an e-mail. @throws Error with a reason for people */
type SendMail = (mail: {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}) => Promise<void>

type NotifyDeps = {
  readonly database: Queryable
  readonly file: AlertFile
  readonly outside: Outside
  /**
   * Undefined if no mail server is configured; then no receiver in the file has an e-mail address.
   */
  readonly sendMail: SendMail | undefined
  readonly publicUrl: string
  readonly now: () => Date
}

type NotifyingDeps = NotifyDeps & {
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/** Milliseconds between two rounds of sending. */
const interval = 5000

/**
 * Sends notices to their receivers.
 * @returns a function that stops it and resolves when nothing is being sent
 */
export function notifyReceivers(deps: NotifyingDeps): () => Promise<void> {
  let running = Promise.resolve()
  const end = deps.every(interval, () => (running = notifyDue(deps).catch(deps.onError)))
  return async () => {
    end()
    await running
  }
}

/** Sends each due notice once. */
export async function notifyDue(deps: NotifyDeps): Promise<void> {
  const { database, now } = deps
  const notices = await claimNotices(database, now())
  await Promise.all(
    notices.map(async (notice) => {
      const error = await faultOf(deps, notice)
      if (error === undefined || isOver(notice, now())) await removeNotice(database, notice)
      else await postponeNotice(database, notice, { error, next: nextAttempt(notice, now()) })
    }),
  )
}

const minute = 60_000

/** Milliseconds after which an undelivered notice is given up. */
const patience = 3 * 24 * 60 * minute

function isOver({ made }: Notice, now: Date): boolean {
  return now.getTime() - made.getTime() > patience
}

/**
 * Returns the time of the next attempt: after one minute, then two, four …, and finally every hour.
 */
function nextAttempt({ attempts }: Notice, now: Date): Date {
  return new Date(now.getTime() + Math.min(60, 2 ** (attempts - 1)) * minute)
}

/** Sends a notice. @returns why it was not delivered */
async function faultOf(deps: NotifyDeps, notice: Notice): Promise<string | undefined> {
  const receiver = deps.file.receivers.find(({ name }) => name === notice.receiver)
  if (receiver === undefined) return undefined
  try {
    return receiver.webhook === undefined
      ? await mailTo(deps, receiver, notice)
      : await postTo(deps, { ...receiver, webhook: receiver.webhook }, notice)
  } catch (error) {
    return error instanceof Error ? error.message : 'The receiver could not be reached.'
  }
}

async function mailTo(
  { sendMail, publicUrl }: NotifyDeps,
  { email = [] }: Receiver,
  notice: Notice,
) {
  if (sendMail === undefined) return 'HUB_SMTP_URL is not set.'
  const { state, text, rule, made } = notice
  await sendMail({
    to: email,
    subject: `${state === 'firing' ? 'Alert' : 'Resolved'}: ${text}`,
    text: `${text}.\n\nRule: ${rule}\nTime: ${made.toISOString()}\n\n${publicUrl}/desk/alerts\n`,
  })
  return undefined
}

/** Milliseconds for a whole delivery. */
const tenSeconds = 10_000

type Posted = Receiver & { readonly webhook: string }

async function postTo(deps: NotifyDeps, { webhook, secret = '' }: Posted, notice: Notice) {
  const { id: delivery, state, rule, subject, text, made } = notice
  const url = new URL(webhook)
  // The operator configured the URL, so it may be within their own network.
  const addresses = await deps.outside.resolve(url.hostname.replace(/^\[|\]$/g, ''))
  const data = { rule, subject, state, text }
  const body = JSON.stringify({ type: `alert.${state}`, timestamp: made.toISOString(), data })
  const signal = AbortSignal.timeout(tenSeconds)
  const outcome = await postSigned(deps, { url, addresses, secret, delivery, body }, signal)
  if (outcome.kind === 'failed') return outcome.error
  return outcome.kind === 'gone' ? 'The receiver responded with 410.' : undefined
}

/**
 * Returns a function that sends e-mails through a server.
 * @param url `smtps://user:password@host:465`, or `smtp:` with STARTTLS if offered
 */
export function mailThrough(url: string, from: string): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // The text of a notice must not make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: [...to], subject, text })
  }
}
