import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'
import type { DecorationSet, ViewUpdate } from '@codemirror/view'
import type { ExpressionLanguage } from '../expression/conditions.ts'
import type { Mark } from '../expression/mark.ts'
import { toTokens } from '../expression/tokens.ts'

export const setMarks = StateEffect.define<readonly Mark[]>()

/** Underlines what the hub names, until the text changes there. */
export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, transaction) => {
    const effect = transaction.effects.find((one) => one.is(setMarks))
    if (effect === undefined) return shown.map(transaction.changes)
    return Decoration.set(
      effect.value.map(({ start, end, tone }) =>
        Decoration.mark({ class: `expression-${tone}` }).range(start, end),
      ),
      true,
    )
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Colours the parts of an expression. The texts are short, so all of it is done at each change. */
export const colours = (language: ExpressionLanguage) =>
  ViewPlugin.define(
    (view) => {
      const plugin = {
        decorations: paint(language, view),
        update: (update: ViewUpdate) => {
          if (update.docChanged) plugin.decorations = paint(language, update.view)
        },
      }
      return plugin
    },
    { decorations: ({ decorations }) => decorations },
  )

function paint(language: ExpressionLanguage, { state }: EditorView): DecorationSet {
  const tokens = toTokens(language, state.doc.toString())
  return Decoration.set(
    tokens.map(({ kind, start, end }) =>
      Decoration.mark({ class: `expression-${kind}` }).range(start, end),
    ),
  )
}
