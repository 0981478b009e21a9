import { positionOf } from '../content/index.ts'
import { fieldsOf, isObject } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { TextRow } from '../storage/index.ts'
import type { ColumnKind } from '../tables/index.ts'

/** A message of a feed, as far as its columns need it. */
export type Message = { readonly key: string; readonly value: Members }

export function readMessage(text: string): Message {
  const { key, value } = fieldsOf(JSON.parse(text))
  return { key: String(key), value: fieldsOf(value) }
}

export type Column = { readonly name: string; readonly kind: ColumnKind }

/** A table of messages: its columns, and the cells of a message, as the writer for Parquet takes them. */
export type Table = {
  readonly columns: readonly Column[]
  readonly toRow: (message: Message) => TextRow
}

/**
 * Finds the columns of a dataset in its values: a field at the top has the type that all of its values have, or is
 * JSON. Numbers are never integers only because all of them are today.
 */
export function gatherColumns() {
  const kinds = new Map<string, ColumnKind>()
  let hasPositions = false
  return {
    note: ({ value }: Message): void => {
      for (const [name, field] of Object.entries(value)) {
        const kind = kindOf(field)
        if (kind === undefined) continue
        const known = kinds.get(name) ?? kind
        kinds.set(name, known === kind ? kind : 'json')
      }
      hasPositions ||= pointOf(value) !== undefined
    },
    table: (): Table => {
      const fields = [...kinds].map(([name, kind]) => ({ name, kind }))
      const hasGeometry = hasPositions && !kinds.has('geometry')
      const key = { name: kinds.has('key') ? '_key' : 'key', kind: 'text' } as const
      const geometry = { name: 'geometry', kind: 'point' } as const
      return {
        columns: [key, ...fields, ...(hasGeometry ? [geometry] : [])],
        toRow: (message) => [
          message.key,
          ...fields.map(({ name, kind }) => cellOf(message.value[name], kind)),
          ...(hasGeometry ? [pointOf(message.value) ?? null] : []),
        ],
      }
    },
  }
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
      return isObject(value) && printPoint(value['x'], value['y']) !== undefined ? 'point' : 'json'
  }
}

function cellOf(value: unknown, kind: ColumnKind): string | null {
  if (value === null || value === undefined) return null
  if (kind === 'text' && typeof value === 'string') return value
  if (kind === 'boolean') return value === true ? 't' : 'f'
  if (kind === 'point') return printPoint(fieldsOf(value)['x'], fieldsOf(value)['y']) ?? null
  return JSON.stringify(value)
}

/** Where a record is, unless it is a field of its own. */
function pointOf(value: Members): string | undefined {
  const position = positionOf(value)
  if (position?.type !== 'Point') return undefined
  const [longitude, latitude] = position.coordinates ?? []
  return printPoint(longitude, latitude)
}

/** As the database prints a point. */
function printPoint(x: unknown, y: unknown): string | undefined {
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return isPoint ? `{"x":${String(x)},"y":${String(y)},"srid":4326}` : undefined
}
