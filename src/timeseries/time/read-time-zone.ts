import { AppError } from '../../errors/index.ts'
import { parseTimeZone, utc } from './time-zone.ts'
import type { TimeZone } from './time-zone.ts'

/**
 * The zone of the parameter `timezone`; UTC when it is absent.
 * @throws AppError HUB-QRY-001
 */
export function readTimeZone(written: string | undefined): TimeZone {
  if (written === undefined) return utc
  const zone = parseTimeZone(written)
  if (zone !== undefined) return zone
  const expected = ['a name such as Europe/Rome', 'UTC', 'an offset such as +02:00']
  throw new AppError('HUB-QRY-001', `There is no time zone ${JSON.stringify(written)}.`, {
    hint: 'Take a name of the IANA time zone database, or an offset; in a URL, + is written %2B.',
    issues: [{ parameter: 'timezone', detail: 'is no time zone', expected }],
  })
}
