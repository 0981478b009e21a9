import type { Issue } from '../../errors/index.ts'
import type { Entity } from '../entity.ts'

/**
 * The members that the hub computes with (decision D66), by the names that lead to them; `*` is any name. What stands
 * in them is of the type of the schema, or a text that means one, or the record is refused. All others are stored as
 * they came.
 */
const computedWith = [
  ...['Id', '_Meta', 'LicenseInfo', 'Active', 'SmgActive', 'Source', 'Mapping', 'PublishedOn'],
  ...['TagIds', 'Tags.Id', 'GpsInfo.Latitude', 'GpsInfo.Longitude', 'GpsInfo.Default'],
  ...['GpsPoints.*.Latitude', 'GpsPoints.*.Longitude', 'Geo.*.Latitude', 'Geo.*.Longitude'],
  ...['Latitude', 'Longitude', 'latitude', 'longitude', 'Geometry'],
  ...['LastChange', 'FirstImport', 'DateBegin', 'DateEnd', 'StartDate', 'EndDate'],
  ...['EventDate.From', 'EventDate.To', 'EventDate.Begin', 'EventDate.End'],
].map((path) => path.split('.'))

export type Judged = {
  /** What keeps the record from being stored. */
  readonly refused: readonly Issue[]
  /** What is stored as it came, though it is of another type than usual. */
  readonly warned: readonly Issue[]
}

/** Parts what a schema found wrong with a record into what matters and what does not. */
export function judgeFaults({ naming }: Entity, record: unknown, faults: readonly Issue[]): Judged {
  const matters = ({ pointer = '', expected = [] }: Issue) => {
    const steps = stepsOf(pointer)
    const names = steps.filter((step) => !/^\d+$/.test(step))
    const isComputedWith = [[naming.active], ...computedWith].some((path) => meets(path, names))
    return isComputedWith && !means(valueAt(record, steps), names.at(-1) ?? '', expected)
  }
  return {
    refused: faults.filter(matters),
    warned: faults.filter((fault) => !matters(fault)),
  }
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Whether one leads to the other, or into it. */
function meets(path: readonly string[], names: readonly string[]): boolean {
  const shared = Math.min(path.length, names.length)
  return path.slice(0, shared).every((name, place) => name === '*' || name === names[place])
}

function valueAt(value: unknown, [step, ...further]: readonly string[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return valueAt(Reflect.get(value, step), further)
}

/** Whether a text means what is expected: a number, or a flag. */
function means(value: unknown, name: string, expected: readonly string[]): boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (expected.includes('boolean')) return /^(true|false|0|1)$/i.test(text)
  if (typeof value !== 'string' || !/^-?\d{1,15}([.,]\d{1,15})?$/.test(text)) return false
  if (expected.includes('integer')) return /^-?\d+$/.test(text)
  const farthest = /^latitude$/i.test(name) ? 90 : 180
  return expected.includes('number') && Math.abs(Number(text.replace(',', '.'))) <= farthest
}
