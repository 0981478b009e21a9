import { momentOf } from './cql2/limits.ts'
import { rejected } from './parameters.ts'

/** ISO 8601; undefined is open. */
export type Interval = { readonly from: string | undefined; readonly to: string | undefined }

const forms = ['2026-11-25', '2026-11-25T12:00:00Z', '2026-11-01/..', '2026-11-01/P7D']

/**
 * The parameter `datetime`: a moment, a day, or an interval, of which one side may be open or a duration
 * (17-069r4, 7.15.4; RFC 3339, appendix A).
 * @throws AppError HUB-QRY-001
 */
export function readDatetime(written: string): Interval {
  const [start = '', end, ...more] = written.split('/')
  if (more.length > 0) throw rejected('datetime', 'is not an interval', forms)
  if (end === undefined) return { from: boundOf(start, 'start'), to: boundOf(start, 'end') }
  if (isOpen(start) && isOpen(end)) return { from: undefined, to: undefined }
  const [before, after] = [durationOf(start), durationOf(end)]
  if (before !== undefined && after !== undefined) throw wrong(written)
  const from = before === undefined ? boundOf(start, 'start') : undefined
  const to = after === undefined ? boundOf(end, 'end') : undefined
  const interval = {
    from: before === undefined ? from : shifted(to, before, -1),
    to: after === undefined ? to : shifted(from, after, 1),
  }
  const isBackwards =
    interval.from !== undefined &&
    interval.to !== undefined &&
    Date.parse(interval.from) > Date.parse(interval.to)
  if (isBackwards) throw rejected('datetime', 'ends before it begins', ['start/end'])
  return interval
}

const isOpen = (written: string) => written === '..' || written === ''

/** The first or last moment of what is written; undefined for an open end. */
export function boundOf(
  written: string,
  side: 'start' | 'end',
  parameter = 'datetime',
): string | undefined {
  if (isOpen(written)) return undefined
  const moment = momentOf(written)
  if (moment === undefined) throw wrong(written, parameter)
  if (moment.kind === 'time') return moment.value
  return `${moment.value}T${side === 'start' ? '00:00:00Z' : '23:59:59.999999Z'}`
}

type Duration = readonly number[]

const duration =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/i

/** Years, months, weeks, days, hours, minutes, seconds; undefined for what is not a duration. */
function durationOf(written: string): Duration | undefined {
  const found = duration.exec(written)
  return found?.slice(1).map((count: string | undefined) => Number(count ?? 0))
}

function shifted(from: string | undefined, by: Duration, sign: 1 | -1): string {
  if (from === undefined) throw rejected('datetime', 'has a duration without a moment', forms)
  const [years = 0, months = 0, weeks = 0, days = 0, ...time] = by.map((count) => count * sign)
  const [hours = 0, minutes = 0, seconds = 0] = time
  const moment = new Date(from)
  moment.setUTCFullYear(moment.getUTCFullYear() + years, moment.getUTCMonth() + months)
  moment.setUTCDate(moment.getUTCDate() + weeks * 7 + days)
  moment.setTime(moment.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000)
  const year = moment.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw rejected('datetime', 'leaves the calendar', forms)
  return moment.toISOString()
}

function wrong(written: string, parameter = 'datetime') {
  return rejected(parameter, `has ${JSON.stringify(written)}, which is not a valid time`, forms)
}
