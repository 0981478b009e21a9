import type { Member } from '../../api/index.ts'

export type ColumnKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'image'
  | 'link'
  | 'place'
  | 'any'
  /** The latest value of a data type. */
  | 'value'

/** A column of the table: a field of the records, or a data type of the stations. */
export type Column = {
  /**
   * Path as the URL spells it: `*` stands for the language of the texts, `@free` for the data type
   * `free`.
   */
  readonly path: string
  readonly kind: ColumnKind
  readonly isList: boolean
  readonly description: string | null
  readonly deprecated: Member['deprecated']
  readonly takesToken: boolean
  readonly canSort: boolean
  /** Whether the cells link to the record. */
  readonly isTitle: boolean
  readonly label: Member['label']
  readonly unit: string | null
  /** Position among the columns that are shown by default. */
  readonly place: number | null
}

/**
 * Returns the fields that a column needs, in the given languages. Of lists of pictures or places,
 * it is the first entry.
 */
export function fieldsOf({ path, kind }: Column, languages: readonly string[]): readonly string[] {
  if (path.startsWith('@')) return []
  const first = kind === 'image' || kind === 'place' ? path.replace('.[*]', '.[0]') : path
  return first.includes('.*')
    ? languages.map((language) => first.replace('.*', `.${language}`))
    : [first]
}

/** Returns the field that a column is sorted by. */
export function sortPathOf({ path }: Column, language: string): string {
  return path.replace('.*', `.${language}`)
}

/** Returns the data type that a column shows. */
export function dataTypeOf({ path }: Column): string | undefined {
  return path.startsWith('@') ? path.slice(1) : undefined
}

/** Returns the default width of a column in pixels. */
export function usualWidth({ kind, isTitle, isList }: Column): number {
  if (isTitle) return 260
  if (isList) return 220
  switch (kind) {
    case 'image':
      return 96
    case 'boolean':
      return 96
    case 'number':
    case 'value':
      return 136
    case 'time':
    case 'place':
      return 164
    default:
      return 176
  }
}
