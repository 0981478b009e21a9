import { catalogue } from '../../../../src/errors/catalogue.ts'

/** An error that responses can have, from the hub's own catalogue. */
export type ErrorEntry = {
  readonly code: string
  readonly phase: string
  readonly status: number
  readonly title: string
  readonly explanation: string
}

/** All errors, in the order of the phases of a request. */
export const errorList: readonly ErrorEntry[] = Object.entries(catalogue).map(([code, entry]) => ({
  ...entry,
  code,
  phase: code.split('-')[1] ?? '',
}))

/** Phases of the errors, in the order of the list. */
export const phases: readonly string[] = [...new Set(errorList.map(({ phase }) => phase))]

/** Returns the errors that an operation can have with a given status. */
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
