import type { TimeZone } from './time-zone.ts'

/** Turns a time as PostgreSQL prints it in UTC into the form of the interface (decision D49). */
export type PrintTime = (printed: string) => string

/**
 * `yyyy-MM-dd HH:mm:ss.SSS+ZZZZ` in a zone. For UTC the text of PostgreSQL is rearranged, which is
 * several times as fast as any calendar; digits beyond the millisecond are cut.
 */
export function timePrinter(zone: TimeZone): PrintTime {
  if (zone.kind === 'utc') return printInUtc
  return (printed) => {
    const moment = Date.parse(
      `${printed.slice(0, 10)}T${printed.slice(11, 19)}.${fractionOf(printed)}Z`,
    )
    const offset = zone.offsetAt(moment)
    const local = new Date(moment + offset).toISOString()
    return `${local.slice(0, 10)} ${local.slice(11, 23)}${printOffset(offset)}`
  }
}

function printInUtc(printed: string): string {
  return `${printed.slice(0, 19)}.${fractionOf(printed)}+0000`
}

/** The milliseconds of `2024-06-01 00:00:00.5+00`, in three digits. */
function fractionOf(printed: string): string {
  if (printed.charAt(19) !== '.') return '000'
  return printed.slice(20, -3).slice(0, 3).padEnd(3, '0')
}

function printOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  const digits = String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, '0')
  return `${offset < 0 ? '-' : '+'}${digits}`
}
