import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import type { operationOperation, statusOperation } from '../../../../src/operation/routes.ts'
import { readJson } from '../../api/index.ts'

/** The public status. */
export type Status = AnswerOf<typeof statusOperation>

/** Additional details for operators. */
export type Operation = AnswerOf<typeof operationOperation>

export const statusRequest = { path: '/status' } as const
export const operationRequest = { path: '/operation', token: 'needed' } as const

export function loadStatus(signal: AbortSignal): Promise<Status> {
  return readJson<Status>(statusRequest.path, {}, signal)
}

/** @throws RequestFailure 403 without the role ADMIN */
export function loadOperation(signal: AbortSignal): Promise<Operation> {
  return readJson<Operation>(operationRequest.path, {}, signal)
}

const order = ['silent', 'stale', 'late', 'fresh', null] as const

/** Sorts datasets by freshness, the stalest first. */
export function byFreshness(datasets: NonNullable<Status['datasets']>) {
  const place = ({ freshness }: (typeof datasets)[number]) => order.indexOf(freshness)
  return datasets.toSorted((a, b) => place(a) - place(b) || a.id.localeCompare(b.id))
}
