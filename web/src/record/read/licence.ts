import { valueAt, textOf } from './json.ts'
import type { Members } from './json.ts'

export type Licence = {
  readonly name?: string
  readonly holder?: string
  readonly author?: string
  /** Whether it is shown only because of who asks. */
  readonly closed: boolean
}

/** Under which conditions a record may be used. */
export function readLicence(record: Members): Licence {
  const read = (name: string) => textOf(valueAt(record, ['LicenseInfo', name]))
  const [name, holder, author] = [read('License'), read('LicenseHolder'), read('Author')]
  return {
    ...(name === undefined ? {} : { name }),
    ...(holder === undefined ? {} : { holder }),
    ...(author === undefined ? {} : { author }),
    closed: valueAt(record, ['LicenseInfo', 'ClosedData']) === true,
  }
}
