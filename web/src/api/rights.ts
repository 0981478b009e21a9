import type { rightsOperation } from '../../../src/admin/rights.ts'
import type { AnswerOf } from '../../../src/lang/schemas.ts'
import { readJson } from './read-json.ts'

/** The logged-in user, and what they may change. */
export type Rights = AnswerOf<typeof rightsOperation>

export const rightsRequest = { path: '/rights' } as const

/** @throws RequestFailure 401 if the user is not logged in */
export function loadRights(signal?: AbortSignal): Promise<Rights> {
  return readJson<Rights>(rightsRequest.path, {}, signal)
}
