import { Type } from 'typebox'
import type { Static } from 'typebox'
import { definition } from './definition.ts'

/** A table as `$lookup` uses it: what stands under each key, in the order of the file. */
export const loadedTable = Type.Object({
  rows: Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        value: Type.Unknown(),
        /** Epoch milliseconds from which on, and until before which, it counts. */
        from: Type.Union([Type.Number(), Type.Null()]),
        to: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  ),
  default: Type.Optional(Type.Unknown()),
})
export type LoadedTable = Static<typeof loadedTable>

/** A mapping with all its files, as plain data: it goes to the thread and the process that use it. */
export const loadedMapping = Type.Object({
  /** Of its folder or file. */
  name: Type.String(),
  version: Type.String(),
  /** Of the mapping and its files, in hexadecimal digits. */
  sha256: Type.String(),
  stream: Type.String(),
  definition,
  tables: Type.Record(Type.String(), loadedTable),
  schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  itemSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type LoadedMapping = Static<typeof loadedMapping>
