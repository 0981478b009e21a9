import { AppError } from '../../errors/index.ts'

/** Place in a file. Line and column start at 1. */
export type Place = { readonly line: number; readonly column: number }

/** Maximum length of a text from the file that a message repeats. */
const maxShown = 80

/** Quotes a text from the file for a message, and truncates it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
}

/** Returns the error for a file that is not valid. */
export function notUnderstood(detail: string, place?: Place, hint?: string): AppError {
  const where =
    place === undefined ? '' : `Line ${String(place.line)}, column ${String(place.column)}: `
  return new AppError('HUB-GEO-001', `${where}${detail}`, hint === undefined ? {} : { hint })
}

/** Returns the error for a body that is compressed, or of a media type that is not accepted. */
export function notTaken(detail: string): AppError {
  return new AppError('HUB-BDY-003', detail, {
    hint: `Send the XML of the file as ${takenTypes.join(', ')}, or as a file of multipart/form-data.`,
    headers: { accept: [...takenTypes, 'multipart/form-data'].join(', ') },
  })
}

/** Media types that are accepted for a file. Others that end in `+xml` are accepted, too. */
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
