import { uri } from './kinds.ts'

export const languagePattern = '^[a-z]{2,3}(-[A-Z]{2})?$'

/** Licences that data has, of those that the standard knows by their SPDX identifiers. */
const identifiers = [
  ...['CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC-BY-SA-3.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0'],
  ...['CC-BY-ND-4.0', 'CC-BY-NC-SA-4.0', 'CC-BY-NC-ND-4.0', 'ODbL-1.0', 'ODC-By-1.0'],
  ...['PDDL-1.0', 'CDLA-Permissive-2.0', 'DL-DE-BY-2.0', 'etalab-2.0', 'NLOD-2.0', 'OGL-UK-3.0'],
]

export type Licence = {
  /** Version 2.3 has only addresses. */
  readonly url: string
  readonly identifier?: string
}

/** An address, or an identifier in any case, with blanks or hyphens. */
export function licenceOf(written: string): Licence | undefined {
  const wanted = written.trim().replaceAll(' ', '-').toLowerCase()
  const identifier = identifiers.find((one) => one.toLowerCase() === (shortened[wanted] ?? wanted))
  if (identifier !== undefined) {
    return { identifier, url: `https://spdx.org/licenses/${identifier}.html` }
  }
  return uri.read(written, []) === undefined ? undefined : { url: written.trim() }
}

const shortened: Readonly<Record<string, string>> = { cc0: 'cc0-1.0' }
