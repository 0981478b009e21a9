import { fieldsOf, textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'

/**
 * Counts records and their licences.
 * @param defaults by origin, in lower case, or `*`: of open data that states none itself
 */
export function tallyLicences(defaults: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>()
  let count = 0
  return {
    note: (value: Members): void => {
      count += 1
      const licence = statedIn(value) ?? defaults.get(originOf(value)) ?? defaults.get('*')
      if (licence !== undefined) counts.set(licence, (counts.get(licence) ?? 0) + 1)
    },
    count: () => count,
    /** All of them, the most frequent first; null where there is none. */
    print: (): string | null => {
      const sorted = [...counts].sort(([, left], [, right]) => right - left)
      return sorted.length === 0 ? null : sorted.map(([name]) => name).join(', ')
    },
  }
}

/** Records have it in their information on the licence, stations and events in their metadata. */
function statedIn(value: Members): string | undefined {
  const metadata = { ...fieldsOf(value['smetadata']), ...fieldsOf(value['evmetadata']) }
  return (
    textOf(fieldsOf(value['LicenseInfo'])['License']) ??
    textOf(metadata['licence']) ??
    textOf(metadata['license'])
  )
}

function originOf(value: Members): string {
  const source = fieldsOf(value['_Meta'])['Source'] ?? value['Source']
  return (textOf(source ?? value['sorigin'] ?? value['evorigin']) ?? '').toLowerCase()
}
