import { AppError } from '../../errors/index.ts'
import { parseTime } from './parse-time.ts'

/**
 * A time that stands in a path.
 * @throws AppError HUB-QRY-001
 */
export function readPathTime(name: string, written: string): string {
  const time = parseTime(written)
  if (time !== undefined) return time
  throw new AppError('HUB-QRY-001', `${JSON.stringify(written)} is no time.`, {
    hint: 'Write 2026-11-20 or 2026-11-20T10:15:00, if need be with a zone such as Z or +01:00.',
    issues: [
      {
        parameter: name,
        detail: 'is no time, or a day that does not exist',
        expected: ['yyyy-MM-dd', 'yyyy-MM-ddTHH:mm:ss', 'yyyy-MM-ddTHH:mm:ss.SSS+ZZZZ'],
      },
    ],
  })
}

/**
 * The range between two times of a path.
 * @throws AppError HUB-QRY-001 for no times, or a range that ends before it starts (decision D49)
 */
export function readRange(written: { readonly from: string; readonly to: string }) {
  const range = { from: readPathTime('from', written.from), to: readPathTime('to', written.to) }
  if (range.from <= range.to) return range
  throw new AppError(
    'HUB-QRY-001',
    `The range ends (${range.to}) before it starts (${range.from}).`,
    {
      hint: 'The earlier time comes first; it is included, the later one is not.',
      issues: [{ parameter: 'from', detail: 'is after to' }],
    },
  )
}
