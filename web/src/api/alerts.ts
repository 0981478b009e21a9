import type { alertsOperation } from '../../../src/alerts/routes.ts'
import type { AnswerOf } from '../../../src/lang/schemas.ts'
import { readJson } from './read-json.ts'
import { writeOnly } from './write-json.ts'

/** What `GET /alerts` lists. */
export type Alerts = AnswerOf<typeof alertsOperation>

export const alertsRequest = { path: '/alerts' } as const

/** @throws RequestFailure 403 for those who are not operators */
export function loadAlerts(signal?: AbortSignal): Promise<Alerts> {
  return readJson<Alerts>(alertsRequest.path, {}, signal)
}

const pathOf = (rule: string, what: string) => `/alerts/${encodeURIComponent(rule)}/${what}`

/** @throws RequestFailure */
export async function acknowledgeAlert(rule: string, subject: string): Promise<void> {
  await writeOnly({ method: 'POST', path: pathOf(rule, 'acknowledge'), body: { subject } })
}

/** Has nobody be told about a rule for some hours; none: they are told again. @throws RequestFailure */
export async function silenceRule(rule: string, hours: number): Promise<void> {
  const path = pathOf(rule, 'silence')
  await writeOnly(
    hours === 0 ? { method: 'DELETE', path } : { method: 'PUT', path, body: { hours } },
  )
}
