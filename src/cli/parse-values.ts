import { InvalidArgumentError } from 'commander'

/** A day or a moment in ISO 8601; UTC where it names no zone. */
export function parseTime(text: string): Date {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  const hasZone = form?.[1] === undefined || form[4] !== undefined
  const time = new Date(hasZone ? text : `${text}Z`)
  if (form !== null && !Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('It is a time in ISO 8601, such as 2026-11-20T10:00Z.')
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number from 1 on.')
}
