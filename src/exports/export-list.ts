import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { orNull } from '../lang/schemas.ts'

/**
 * A file of an export, as listed in the store. The list holds the current exports, and replaced
 * files that are still served for a while.
 */

const exportFile = Type.Object({
  /** Derived from the content, so a name always refers to the same content. */
  name: Type.String(),
  format: Type.Enum(['ndjson.gz', 'parquet']),
  bytes: Type.Integer(),
  sha256: Type.String(),
  count: Type.Integer(),
})
export type ExportFile = Static<typeof exportFile>

export const contentTypes = {
  'ndjson.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
} as const

const madeExport = Type.Object({
  dataset: Type.String(),
  description: Type.String(),
  /**
   * Readership of callers without a token when the export was made (`Snapshot`). It is served only
   * while that has not changed.
   */
  readership: Type.String(),
  offset: Type.String(),
  madeAt: Type.String(),
  count: Type.Integer(),
  licence: orNull(Type.String()),
  files: Type.Array(exportFile),
})
export type MadeExport = Static<typeof madeExport>

const retiredFile = Type.Object({
  dataset: Type.String(),
  readership: Type.String(),
  since: Type.String(),
  file: exportFile,
})

const exportList = Type.Object({
  exports: Type.Array(madeExport),
  retired: Type.Array(retiredFile),
})
export type ExportList = Static<typeof exportList>

/** Parses the list. A list of another version counts as empty, so its exports are made again. */
export function parseList(text: string | undefined): ExportList {
  const written: unknown = text === undefined ? undefined : JSON.parse(text)
  return Check(exportList, written) ? written : { exports: [], retired: [] }
}

/** Returns the names of all files in a list. */
export function namesIn({ exports, retired }: ExportList): ReadonlySet<string> {
  const current = exports.flatMap(({ files }) => files)
  return new Set([...current, ...retired.map(({ file }) => file)].map(({ name }) => name))
}

/** Replaces an export by a newer one. The old files retire, unless other rights apply now. */
export function replaceExport(list: ExportList, made: MadeExport, now: Date): ExportList {
  const { dataset, readership, files } = made
  const before = list.exports.find((one) => one.dataset === dataset)
  const kept = new Set(files.map(({ name }) => name))
  const old = before?.readership === readership ? before.files : []
  const retiring = old
    .filter(({ name }) => !kept.has(name))
    .map((file) => ({ dataset, readership, since: now.toISOString(), file }))
  return {
    exports: [...list.exports.filter((one) => one.dataset !== dataset), made],
    retired: [...list.retired.filter(({ file }) => !kept.has(file.name)), ...retiring],
  }
}

/**
 * Removes exports that must no longer be served, and files that were retired before a time.
 * @param readerships of the datasets that everybody may follow
 */
export function withoutOld(
  { exports, retired }: ExportList,
  readerships: ReadonlyMap<string, string>,
  before: Date,
): ExportList {
  const isOpen = (one: { readonly dataset: string; readonly readership: string }) =>
    readerships.get(one.dataset) === one.readership
  return {
    exports: exports.filter(isOpen),
    retired: retired.filter((one) => isOpen(one) && one.since >= before.toISOString()),
  }
}
