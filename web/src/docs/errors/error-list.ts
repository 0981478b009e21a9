import { catalogue } from '../../../../src/errors/catalogue.ts'

/** An error that answers can have, as the hub's own catalogue says it. */
export type ErrorEntry = {
  readonly code: string
  readonly phase: string
  readonly status: number
  readonly title: string
  readonly explanation: string
}

/** All of them, in the order in which a request can fail. */
export const errorList: readonly ErrorEntry[] = Object.entries(catalogue).map(([code, entry]) => ({
  ...entry,
  code,
  phase: code.split('-')[1] ?? '',
}))

/** Codes by phase, in the order of the list. */
export const phases: readonly string[] = [...new Set(errorList.map(({ phase }) => phase))]

/** The codes that an answer of this status can have at an address. */
export function codesOf(
  status: number,
  { path, method }: { readonly path: string; readonly method: string },
): readonly ErrorEntry[] {
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return errorList.filter(
    (entry) =>
      entry.status === status &&
      (entry.phase !== 'GEO' || path.includes('GeoConverter')) &&
      (entry.phase !== 'BDY' || takesBody) &&
      entry.phase !== 'WEB',
  )
}
