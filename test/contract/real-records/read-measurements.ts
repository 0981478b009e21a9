import type { PushingHub } from '../../fixtures/pushing-hub.ts'
import { compare } from './compare.ts'
import type { Measurement, OfKind, Provenance } from './messages.ts'
import { readRows } from './read-answers.ts'
import type { Row } from './read-answers.ts'

/** Lists what differs from the sent values in the history of their months. */
export async function findMeasurementDifferences(
  hub: PushingHub,
  messages: readonly OfKind<'measurements'>[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [stationType, all] of Map.groupBy(messages, (message) => message.stationType)) {
    const sent = all.flatMap(({ period, provenance, items }) =>
      items.map((item) => toSent(item, period, provenance)),
    )
    for (const [month, values] of Map.groupBy(sent, ({ key }) => key.slice(0, 7))) {
      const rows = await readRows(hub, `node/${stationType}/*/${month}-01/${nextMonth(month)}-01`)
      const known = new Map(rows.map((row) => [toKey(row), toRead(row)]))
      // If several values have the same time, the last one counts.
      const last = new Map(values.map(({ key, ...value }) => [key, value]))
      for (const [key, value] of last) found.push(...compare(key, value, known.get(key)))
    }
  }
  return found
}

function toSent(
  [code, type, time, value]: Measurement,
  period: number,
  provenance: Provenance | null | undefined,
) {
  const key = `${new Date(time).toISOString()} ${code} ${type} ${String(period)} ${typeof value}`
  return { key, value, ...(provenance ? { provenance } : {}) }
}

function toKey(row: Row): string {
  const time = new Date(String(row['mvalidtime']).replace(' ', 'T')).toISOString()
  const { scode, tname, mperiod, mvalue } = row
  return `${time} ${String(scode)} ${String(tname)} ${String(mperiod)} ${typeof mvalue}`
}

function toRead({ mvalue: value, prname: name, prversion: version, prlineage: lineage }: Row) {
  return { value, provenance: { name, version, lineage } }
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}
