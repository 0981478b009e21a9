import { readJson } from './read-json.ts'

/** Who is logged in, and what they may change: `GET /rights`. */
export type Rights = {
  readonly name: string
  readonly isAdmin: boolean
  readonly roles: readonly string[]
  readonly content: readonly {
    readonly entity: string
    readonly operations: readonly ('Create' | 'Update' | 'Delete')[]
  }[]
  /** Paths that they may push to; null where only the identity provider knows them. */
  readonly push: readonly string[] | null
}

export const rightsRequest = { path: '/rights' } as const

/** @throws RequestFailure 401 where nobody is logged in */
export function loadRights(signal?: AbortSignal): Promise<Rights> {
  return readJson<Rights>(rightsRequest.path, {}, signal)
}
