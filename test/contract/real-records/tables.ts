import type { Measurement, Message, Station } from './messages.ts'

/** Parses CSV into rows by column name. Values may be quoted; a quote inside is doubled. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = csv.trim().split('\n').map(valuesOf)
  return rows.map((row) => Object.fromEntries(head.map((name, place) => [name, row[place] ?? ''])))
}

function valuesOf(line: string): readonly string[] {
  const values = line.trim().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...values].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}

/** The columns with the properties of a station. All other columns are its metadata. */
export type StationTable = {
  readonly stationType: string
  readonly origin: string
  readonly code: string
  readonly name: string
  readonly latitude?: string
  readonly longitude?: string
}

/** Converts a list of stations in CSV. */
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

/** The layout of a history: one column of times, and one column of values per data type. */
export type HistoryTable = {
  readonly stationType: string
  readonly code: string
  readonly period: number
  readonly time: string
  readonly dataTypes: readonly string[]
  /** The header line, for files that have none. */
  readonly head?: string
  /**
   * Uses only every n-th row, so that a long history still covers all its days and clock changes
   * but takes less time.
   */
  readonly oneOf?: number
}

/** Converts the history of one station in CSV. */
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

/**
 * Converts `2025-09-01 15:30:04.077+0000`, `2024-08-27 05:11:00` and `2021-12-31` to ISO 8601. A
 * time without a zone is UTC.
 */
function toIso(written: string): string {
  const moment = written.length === 10 ? `${written}T00:00:00` : written.replace(' ', 'T')
  return /[+-]\d{4}$/.test(moment) ? moment : `${moment}Z`
}

function slices<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
