import type { TextRow } from '../../storage/index.ts'
import type { TreeLevel, TreeShape } from '../catalogue/level.ts'
import { readerOf } from './cell.ts'
import type { Cell } from './cell.ts'
import { objectMembersOf } from './members.ts'
import type { FieldColumn, Style, WriteMembers } from './members.ts'
import type { Writer } from './writer.ts'

type Layout = {
  readonly shape: TreeShape
  readonly columns: readonly FieldColumn[]
  /** Where the keys of the objects stand, in the order of the tree. */
  readonly keys: readonly Cell[]
  /** What says whether a row has an entry in the list. */
  readonly present: Cell
}

/**
 * The tree (reference 1.8), written as the rows come: they are ordered by their keys, so an object is
 * closed as soon as a key changes, and nothing is held but the keys of the objects that are open.
 */
export function treeWriter({ shape, columns, keys, present }: Layout, style: Style): Writer {
  const levels = shape.levels.map((level) => ({
    ...level,
    keyOf: readerOf(keys[level.key] ?? { index: level.key }),
    write: objectMembersOf(level, columns, style),
  }))
  const isPresent = readerOf(present)
  const tree: OpenTree = { levels, keys: [], comma: '', isListOpen: false }
  const { list } = shape
  const writeEntry = list === undefined ? undefined : objectMembersOf(list, columns, style)
  let opening = '{'
  const take = (text: string) => {
    const taken = opening + text
    opening = ''
    return taken
  }
  return {
    rows: (rows) => {
      let text = ''
      for (const row of rows) {
        text += enter(tree, row)
        if (list === undefined || writeEntry === undefined || isPresent(row) === null) continue
        text += addEntry(tree, list.member, writeEntry(row))
      }
      return take(text)
    },
    end: () => take(`${closeTo(tree, 0)}}`),
  }
}

type OpenLevel = TreeLevel & {
  readonly keyOf: ReturnType<typeof readerOf>
  readonly write: WriteMembers
}

/** How far the text has come. */
type OpenTree = {
  readonly levels: readonly OpenLevel[]
  /** Keys of the objects that are open, from the outermost to the innermost. */
  readonly keys: (string | null | undefined)[]
  /** What the next member needs in front of it: nothing, as the first one of its object. */
  comma: '' | ','
  isListOpen: boolean
}

/** Closes the objects that the row is not in and opens those that it is. */
function enter(tree: OpenTree, row: TextRow): string {
  const { levels, keys } = tree
  const same = levels.findIndex(
    ({ keyOf }, depth) => keys.length <= depth || keys[depth] !== keyOf(row),
  )
  if (same === -1) return ''
  let text = closeTo(tree, same)
  for (const level of levels.slice(same)) text += openObject(tree, level, row)
  return text
}

function openObject(tree: OpenTree, level: OpenLevel, row: TextRow): string {
  const key = level.keyOf(row)
  const members = level.write(row)
  const text = `${tree.comma}${JSON.stringify(key)}:{${members}`
  tree.keys.push(key)
  tree.comma = members === '' ? '' : ','
  const below = tree.levels[tree.keys.length]
  if (below === undefined) return text
  const opening = `${tree.comma}${JSON.stringify(below.within)}:{`
  tree.comma = ''
  return text + opening
}

function addEntry(tree: OpenTree, member: string, members: string): string {
  const opening = tree.isListOpen ? ',' : `${tree.comma}${JSON.stringify(member)}:[`
  tree.isListOpen = true
  return `${opening}{${members}}`
}

/** An object that holds others by their keys has them in a member of its own: two braces. */
function closeTo(tree: OpenTree, depth: number): string {
  let text = tree.isListOpen ? ']' : ''
  tree.isListOpen = false
  while (tree.keys.length > depth) {
    text += tree.keys.length < tree.levels.length ? '}}' : '}'
    tree.keys.pop()
    tree.comma = ','
  }
  return text
}
