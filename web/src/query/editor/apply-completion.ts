import { pickedCompletion, startCompletion } from '@codemirror/autocomplete'
import type { Completion } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import type { ExpressionLanguage } from '../expression/conditions.ts'

/** What CodeMirror calls when somebody chooses: editor, completion, and the range that it replaces. */
type Apply = (...chosen: Chosen) => void

type Chosen = readonly [view: EditorView, completion: Completion, from: number, to: number]

/** A function comes with its brackets, and one is between them at once. */
export const applyCall: Apply = (...[view, completion, from, to]) => {
  const hasBracket = view.state.sliceDoc(to, to + 1) === '('
  const insert = completion.label + (hasBracket ? '' : '()')
  put(view, completion, { from, to, insert, cursor: completion.label.length + 1 })
  startCompletion(view)
}

/** What is needed behind a member comes with it: a comma, or a dot. */
export const applyMember =
  (language: ExpressionLanguage): Apply =>
  (...[view, completion, from, to]) => {
    const before = view.state.sliceDoc(0, from)
    const needs = language === 'where' ? '.' : takesValue(language, before) ? ',' : ''
    const isThere = needs === '' || view.state.sliceDoc(to, to + 1) === needs
    const insert = completion.label + (isThere ? '' : needs)
    const cursor = completion.label.length + needs.length
    put(view, completion, { from, to, insert, cursor })
    if (needs !== '') startCompletion(view)
  }

function takesValue(language: ExpressionLanguage, before: string): boolean {
  return language === 'rawfilter' && !/\bis(?:not)?null\(\s*$/.test(before)
}

/** Behind an operator its value follows; of lists and places the bracket. */
export const applyOperator: Apply = (...[view, completion, from, to]) => {
  const operator = completion.displayLabel ?? ''
  const isList = ['in', 'nin', 'bbi', 'bbc', 'dlt'].includes(operator)
  const insert = `${completion.label}.${isList ? '()' : ''}`
  put(view, completion, { from, to, insert, cursor: insert.length - (isList ? 1 : 0) })
  startCompletion(view)
}

/** A quote that was closed by itself is not closed again. */
export const applyValue: Apply = (...[view, completion, from, to]) => {
  const insert = completion.label
  const isQuoted = /['"]$/.test(insert) && view.state.sliceDoc(from, from + 1) === insert.at(0)
  const isClosed = isQuoted && to > from && view.state.sliceDoc(to, to + 1) === insert.at(-1)
  const end = isClosed ? to + 1 : to
  put(view, completion, { from, to: end, insert, cursor: insert.length })
}

/** What stands in place of a range, and how far behind its start the cursor is then. */
type Inserted = {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly cursor: number
}

function put(view: EditorView, completion: Completion, inserted: Inserted): void {
  const { from, to, insert, cursor } = inserted
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + cursor },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
  })
}
