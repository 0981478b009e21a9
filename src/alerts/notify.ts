import type { Every } from '../access/index.ts'
import { joinRunning } from '../async/index.ts'
import { postSigned } from '../changes/index.ts'
import type { Outside } from '../http/index.ts'
import type { Queryable } from '../storage/index.ts'
import { claimNotices, postponeNotice, removeNotice } from './alert-store.ts'
import type { Notice } from './alert-store.ts'
import type { AlertFile, Receiver } from './rules.ts'
import { createTransport } from 'nodemailer'

/** Sends an e-mail. @throws Error with a reason for people */
export type SendMail = (mail: {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}) => Promise<void>

export type NotifyDeps = {
  readonly database: Queryable
  readonly file: AlertFile
  readonly outside: Outside
  /** Undefined where no server is set; the file then has no receivers of e-mail. */
  readonly sendMail: SendMail | undefined
  readonly publicUrl: string
  readonly now: () => Date
}

type Deps = NotifyDeps & { readonly every: Every; readonly onError: (error: unknown) => void }

/** How often notices are sent, in milliseconds. */
const interval = 5000

/** Sends notices to their receivers. @returns a function that stops it and resolves when nothing is being sent */
export function notifyReceivers(deps: Deps): () => Promise<void> {
  const send = joinRunning(() => notifyDue(deps))
  let running = Promise.resolve()
  const end = deps.every(interval, () => {
    running = send().catch(deps.onError)
  })
  return async () => {
    end()
    await running
  }
}

/** Sends each notice that is due once. */
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

/** Milliseconds after which a notice that nobody takes is given up. */
const patience = 3 * 24 * 60 * minute

function isOver({ made }: Notice, now: Date): boolean {
  return now.getTime() - made.getTime() > patience
}

/** After one minute, then two, four … and at last every hour. */
function nextAttempt({ attempts }: Notice, now: Date): Date {
  return new Date(now.getTime() + Math.min(60, 2 ** (attempts - 1)) * minute)
}

/** Sends a notice. @returns why it did not arrive */
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

/** Of all a receiver may take. */
const tenSeconds = 10_000

type Posted = Receiver & { readonly webhook: string }

async function postTo(deps: NotifyDeps, { webhook, secret = '' }: Posted, notice: Notice) {
  const { id: delivery, state, rule, subject, text, made } = notice
  const url = new URL(webhook)
  // The operator of the hub wrote the address into a file; it may be within their own network.
  const addresses = await deps.outside.resolve(url.hostname.replace(/^\[|\]$/g, ''))
  const data = { rule, subject, state, text }
  const body = JSON.stringify({ type: `alert.${state}`, timestamp: made.toISOString(), data })
  const signal = AbortSignal.timeout(tenSeconds)
  const outcome = await postSigned(deps, { url, addresses, secret, delivery, body }, signal)
  if (outcome.kind === 'failed') return outcome.error
  return outcome.kind === 'gone' ? 'The receiver responded with 410.' : undefined
}

/** E-mail through a server. @param url `smtps://user:password@host:465`, or `smtp:` with STARTTLS where offered */
export function mailThrough(url: string, from: string): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // No text of a notice may name a file or an address that is fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: [...to], subject, text })
  }
}
