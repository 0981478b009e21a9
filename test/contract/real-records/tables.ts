import type { Measurement, Message, Station } from './messages.ts'

/** Rows of a CSV text by column name: quotes may surround a value, doubled ones stand for themselves. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = csv.trim().split('\n').map(valuesOf)
  return rows.map((row) => Object.fromEntries(head.map((name, place) => [name, row[place] ?? ''])))
}

function valuesOf(line: string): readonly string[] {
  const values = line.trim().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...values].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}

/** Which columns say what of a station; the rest is its metadata. */
export type StationTable = {
  readonly stationType: string
  readonly origin: string
  readonly code: string
  readonly name: string
  readonly latitude?: string
  readonly longitude?: string
}

/** A list of stations as CSV. */
export const fromStationTable =
  ({ stationType, origin, code, name, latitude = '', longitude = '' }: StationTable) =>
  (csv: string): readonly Message[] => {
    const toStation = (row: Readonly<Record<string, string>>): Station => {
      const { [latitude]: north = '', [longitude]: east = '', ...metadata } = row
      return {
        code: row[code] ?? '',
        name: row[name] ?? '',
        coordinate: north === '' ? null : [Number(east), Number(north)],
        metadata,
      }
    }
    return [{ kind: 'stations', stationType, origin, items: rowsOf(csv).map(toStation) }]
  }

/** How a history is laid out: one column of times, one of values for each data type. */
export type HistoryTable = {
  readonly stationType: string
  readonly code: string
  readonly period: number
  readonly time: string
  readonly dataTypes: readonly string[]
  /** Names of the columns where the file has none. */
  readonly head?: string
  /** Of so many rows one is taken: a long history has all its days and clock changes in less time. */
  readonly oneOf?: number
}

/** A history of one station as CSV. */
export const fromHistoryTable =
  ({ stationType, code, period, time, dataTypes, head, oneOf = 1 }: HistoryTable) =>
  (csv: string): readonly Message[] => {
    const rows = rowsOf(head === undefined ? csv : `${head}\n${csv}`)
    const taken = rows.filter((_row, index) => index % oneOf === 0)
    const items = taken.flatMap((row) =>
      dataTypes.map((type): Measurement => {
        return [code, type, toIso(row[time] ?? ''), Number(row[type])]
      }),
    )
    return [
      { kind: 'stations', stationType, items: [{ code }] },
      { kind: 'dataTypes', items: dataTypes.map((name) => ({ name })) },
      ...slices(items, 50_000).map((slice) => ({
        kind: 'measurements' as const,
        stationType,
        period,
        items: slice,
      })),
    ]
  }

/** `2025-09-01 15:30:04.077+0000`, `2024-08-27 05:11:00`, `2021-12-31` → ISO 8601; UTC without a zone. */
function toIso(written: string): string {
  const moment = written.length === 10 ? `${written}T00:00:00` : written.replace(' ', 'T')
  return /[+-]\d{4}$/.test(moment) ? moment : `${moment}Z`
}

function slices<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
