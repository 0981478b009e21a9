import type { Sql } from '../../sql/index.ts'
import type { Group } from './groups.ts'

/** A column of an order. None is ever null, so pages can be told apart by comparing rows. */
export type OrderColumn = {
  readonly expression: Sql
  readonly type: 'text' | 'int4' | 'timestamptz' | 'text[]'
}

/** A total order (decisions D4, D46a). */
export type Order = {
  readonly columns: readonly OrderColumn[]
  /** How many of the first columns an index serves: where the next page starts to read. */
  readonly indexed: number
}

/** A group whose fields stand in an object of their own, inside the one they belong to. */
export type Inline = { readonly member: string; readonly group: Group }

/** What an object of the tree consists of. */
export type TreeObject = {
  readonly own: readonly Group[]
  readonly inline: readonly Inline[]
}

/** Objects by key, such as the stations of a type by their code (reference 1.8). */
export type TreeLevel = TreeObject & {
  /** Position of the key in the order of the tree. */
  readonly key: number
  /** Member of the object above that holds them; undefined for the outermost. */
  readonly within: string | undefined
}

export type TreeShape = {
  readonly levels: readonly TreeLevel[]
  /** The list in the innermost objects, with one entry for each row. */
  readonly list:
    | (TreeObject & {
        readonly member: string
        /** Null where a row has no entry. */
        readonly present: Sql
        /** Whether it is there even when nothing that belongs into it is selected. */
        readonly isAlways: boolean
      })
    | undefined
}

/**
 * What one depth of the paths shows (reference 1.2): which fields there are, what they are read from,
 * and in which order. Everything about a depth stands in its entry; the plan only puts it together.
 */
export type Level = {
  readonly groups: readonly Group[]
  /** The range of history that is read, where one is: quotas limit its length (decision D62). */
  readonly range?: { readonly from: string; readonly to: string }
  /** @param visible the condition under which the caller may see values */
  readonly from: (visible: Sql) => Sql
  /** The conditions of every read at this depth. */
  readonly where: (visible: Sql) => readonly Sql[]
  /**
   * What the lists of the path select, said once more of what is scanned in the order of time: rows of
   * other series are passed over before anything is joined to them.
   */
  readonly narrow?: (selected: Sql) => Sql
  /**
   * Of a level whose rows are values: what holds them, and which series are shown at all. The values of
   * many series can then be read without joining each to what describes it.
   */
  readonly values?: {
    readonly relation: Sql
    readonly ofSeries: (visible: Sql) => readonly Sql[]
  }
  /** What the first and the second list of the path, and the parameter `origin`, select by. */
  readonly type: Sql
  readonly dataType: Sql | undefined
  readonly origin: Sql
  /** `_timestamp` of flat rows, whatever else is selected (reference 1.7): a column of their order. */
  readonly timestamp: { readonly key: number } | undefined
  /** Columns that together tell every row from the others. */
  readonly identity: readonly Sql[]
  readonly flatOrder: Order
  readonly treeOrder: Order
  readonly tree: TreeShape
}
