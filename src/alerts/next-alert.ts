import { conditions } from './conditions.ts'
import type { Measured } from './conditions.ts'
import type { AlertRule } from './rules.ts'

/** A rule whose condition holds for a subject. */
export type Alert = {
  readonly rule: string
  readonly subject: string
  readonly value: number
  /** When the condition began to hold. */
  readonly since: Date
  /** When the condition was last found to hold. */
  readonly seen: Date
  /** When it had held for as long as the rule requires; null: not yet. */
  readonly fired: Date | null
  readonly notified: Date | null
  readonly acknowledged: Date | null
  readonly acknowledgedBy: string | null
}

export type AlertState = 'firing' | 'resolved'

export type Next = {
  /** The new alert; undefined if there is none any more. */
  readonly alert: Alert | undefined
  readonly notify: AlertState | undefined
}

export type Seen = {
  readonly rule: AlertRule
  readonly now: Date
  readonly silence: 'silenced' | 'heard'
}

const minutes = 60_000
const hours = 60 * minutes

/** Milliseconds after which the alert of a node that no longer reports is dropped. */
const nodePatience = 10 * minutes

/** Computes the next state of an alert from the current measurement. Pure. */
export function nextAlert(
  before: Alert | undefined,
  found: Measured | undefined,
  seen: Seen,
): Next {
  const { rule, now } = seen
  if (found === undefined && before !== undefined && isOfOtherNode(before, rule, now)) {
    return { alert: before, notify: undefined }
  }
  if (found === undefined || !holds(rule, found.value)) {
    const isKnown = before !== undefined && before.notified !== null
    return { alert: undefined, notify: isKnown ? 'resolved' : undefined }
  }
  const began = before ?? begin(rule, found, now)
  const isLongEnough = now.getTime() - began.since.getTime() >= (rule.for ?? 0) * minutes
  const fired = began.fired ?? (isLongEnough ? now : null)
  const alert = { ...began, value: found.value, seen: now, fired }
  return isDue(alert, seen)
    ? { alert: { ...alert, notified: now }, notify: 'firing' }
    : { alert, notify: undefined }
}

function holds({ watch, limit }: AlertRule, value: number): boolean {
  return conditions[watch].firesWhen === 'above' ? value > limit : value < limit
}

function isOfOtherNode({ seen }: Alert, { watch }: AlertRule, now: Date): boolean {
  return conditions[watch].scope === 'node' && now.getTime() - seen.getTime() < nodePatience
}

function begin({ name }: AlertRule, { subject, value }: Measured, now: Date): Alert {
  const open = { fired: null, notified: null, acknowledged: null, acknowledgedBy: null }
  return { rule: name, subject, value, since: now, seen: now, ...open }
}

function isDue({ fired, notified, acknowledged }: Alert, { rule, now, silence }: Seen): boolean {
  if (fired === null || silence === 'silenced') return false
  if (notified === null) return true
  return acknowledged === null && now.getTime() - notified.getTime() >= (rule.remind ?? 24) * hours
}
