export const timeForms = [
  'yyyy-MM-dd',
  'yyyy-MM-ddTHH:mm',
  'yyyy-MM-ddTHH:mm:ss(.ffffff)(Z|+HH:mm)',
]

const form =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d(?:\.\d{1,6})?))?(?<zone>Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/

/**
 * A date or time in the spelling that all of them share: to the second or finer, with a zone.
 * UTC where none is written. Impossible days are none.
 */
export function parseTime(written: string): string | undefined {
  const { date, time = '00:00', seconds = '00', zone = 'Z' } = form.exec(written)?.groups ?? {}
  if (date === undefined || !isDay(date)) return undefined
  return `${date}T${time}:${seconds}${toZone(zone)}`
}

function isDay(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date) && date >= '0001'
}

function toZone(zone: string): string {
  if (zone === 'Z') return zone
  const hours = zone.slice(0, 3)
  return `${hours}:${zone.slice(3).replace(':', '') || '00'}`
}
