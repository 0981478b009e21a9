import { positionOf, shapeOf } from '../content/index.ts'
import { fieldsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { TextRow } from '../storage/index.ts'
import { inOrder } from '../tables/index.ts'
import type { ColumnKind, TypedColumn } from '../tables/index.ts'

/** A message of a feed, as far as its columns need it. */
export type Message = { readonly key: string; readonly value: Members }

export function readMessage(text: string): Message {
  const { key, value } = fieldsOf(JSON.parse(text))
  return { key: String(key), value: fieldsOf(value) }
}

/** A table of messages: its columns, and the cells of a message, as the writer for Parquet takes them. */
export type Table = {
  readonly columns: readonly TypedColumn[]
  readonly toRow: (message: Message) => TextRow
}

/**
 * Finds the columns of a dataset in its values: a field at the top has the type that all of its values have, or is
 * JSON. Numbers are never integers only because all of them are today.
 */
export function gatherColumns() {
  const kinds = new Map<string, ColumnKind>()
  let hasPlaces = false
  return {
    note: ({ value }: Message): void => {
      for (const [name, field] of Object.entries(value)) {
        const kind = kindOf(field)
        if (kind === undefined) continue
        const known = kinds.get(name) ?? kind
        kinds.set(name, known === kind ? kind : 'json')
      }
      hasPlaces ||= placeOf(value) !== undefined
    },
    table: (): Table => {
      const fields = [...kinds].map(([name, kind]) => ({ name, kind }))
      const hasGeometry = hasPlaces && !kinds.has('geometry')
      const key = { name: kinds.has('key') ? '_key' : 'key', kind: 'text' } as const
      const geometry = { name: 'geometry', kind: 'geometry' } as const
      return {
        columns: withBounds(inOrder([key, ...fields, ...(hasGeometry ? [geometry] : [])])),
        toRow: (message) => [
          message.key,
          ...fields.map(({ name, kind }) => cellOf(message.value[name], kind)),
          ...(hasGeometry ? [placeOf(message.value) ?? null] : []),
        ],
      }
    },
  }
}

/** Each place with its bounds behind it, of which readers of GeoParquet choose rows. */
function withBounds(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  const names = new Set(columns.map(({ name }) => name))
  return columns.flatMap((column) => {
    if (column.kind !== 'geometry') return [column]
    const own = `${column.name}_bbox`
    const name = column.name === 'geometry' && !names.has('bbox') ? 'bbox' : own
    return [column, { ...column, name, kind: 'bbox' }]
  })
}

/** @returns undefined for null, which every column may have */
function kindOf(value: unknown): ColumnKind | undefined {
  switch (typeof value) {
    case 'boolean':
    case 'number':
      return typeof value === 'number' ? 'number' : 'boolean'
    case 'string':
      return 'text'
    default:
      if (value === null || value === undefined) return undefined
      return pointOf(value) === undefined ? 'json' : 'geometry'
  }
}

function cellOf(value: unknown, kind: ColumnKind): string | null {
  if (value === null || value === undefined) return null
  if (kind === 'text' && typeof value === 'string') return value
  if (kind === 'boolean') return value === true ? 't' : 'f'
  if (kind === 'geometry') return pointOf(value) ?? null
  return JSON.stringify(value)
}

/** Where a record is, unless it is a field of its own. */
function placeOf(value: Members): string | undefined {
  const place = shapeOf(value) ?? positionOf(value)
  return place === undefined ? undefined : JSON.stringify(place)
}

/** A point with its axes, as stations have it, as GeoJSON. */
function pointOf(value: unknown): string | undefined {
  const { x, y } = fieldsOf(value)
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return isPoint ? JSON.stringify({ type: 'Point', coordinates: [x, y] }) : undefined
}
