import { AppError } from '../../errors/index.ts'

/** Where in a file something stands, both from 1 on. */
export type Place = { readonly line: number; readonly column: number }

/** Maximum length of a text of the file that a message repeats. */
const mostShown = 80

/** A text of the file as it may stand in a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)
}

/** The error for a file that is not what it should be. */
export function notUnderstood(detail: string, place?: Place, hint?: string): AppError {
  const where =
    place === undefined ? '' : `Line ${String(place.line)}, column ${String(place.column)}: `
  return new AppError('HUB-GEO-001', `${where}${detail}`, hint === undefined ? {} : { hint })
}

/** The error for a body that is packed, or of a type that nobody sends maps in. */
export function notTaken(detail: string): AppError {
  return new AppError('HUB-BDY-003', detail, {
    hint: `Send the XML of the file as ${takenTypes.join(', ')}, or as a file of multipart/form-data.`,
    headers: { accept: [...takenTypes, 'multipart/form-data'].join(', ') },
  })
}

/** Media types that a file may be sent as; others that end in `+xml` are taken too. */
export const takenTypes = [
  'application/vnd.google-earth.kml+xml',
  'application/gpx+xml',
  'application/xml',
  'text/xml',
  'text/plain',
  'application/octet-stream',
] as const

export function tooLarge(detail: string): AppError {
  return new AppError('HUB-GEO-004', detail, { headers: { connection: 'close' } })
}
