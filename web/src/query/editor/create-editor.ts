import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import type { Transaction, TransactionSpec } from '@codemirror/state'
import { EditorView, drawSelection, keymap, placeholder, tooltips } from '@codemirror/view'
import type { Mark } from '../expression/mark.ts'
import { complete } from './completions.ts'
import type { CompletionSource } from './completions.ts'
import { colours, marks, setMarks } from './marks.ts'
import { theme } from './theme.ts'

type Options = {
  readonly text: string
  readonly label: string
  readonly placeholder: string
  readonly completion: CompletionSource
  readonly onchange: (text: string) => void
  readonly onenter: () => void
}

/** A line of code that somebody edits. */
export type Editor = {
  readonly setText: (text: string) => void
  readonly setMarks: (marks: readonly Mark[]) => void
  /** What ears are told of it beside its label; empty: nothing. */
  readonly describe: (fault: string) => void
  readonly focus: () => void
  readonly destroy: () => void
}

/**
 * Puts an editor into an element. It lives in a shadow tree: there CodeMirror's styles are adopted by
 * script, where in the page itself the policy of contents forbids them.
 */
export function createEditor(host: HTMLElement, options: Options): Editor {
  const { root, place, fault } = openShadow(host)
  const attributes = new Compartment()
  const view = new EditorView({
    root,
    parent: place,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        attributes.of(EditorView.contentAttributes.of(attributesOf(options.label, ''))),
        ...behaviour(options),
        tooltips({ parent: place }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onchange(update.state.doc.toString())
        }),
      ],
    }),
  })
  const describe = (text: string) => {
    fault.textContent = text
    const described = EditorView.contentAttributes.of(attributesOf(options.label, text))
    view.dispatch({ effects: attributes.reconfigure(described) })
  }
  return { ...controlsOf(view), describe }
}

function controlsOf(view: EditorView): Omit<Editor, 'describe'> {
  return {
    setText: (text) => {
      const { doc } = view.state
      if (doc.toString() !== text) {
        view.dispatch({ changes: { from: 0, to: doc.length, insert: text } })
      }
    },
    setMarks: (shown) => {
      view.dispatch({ effects: setMarks.of(shown) })
    },
    focus: () => {
      view.focus()
    },
    destroy: () => {
      view.destroy()
    },
  }
}

function openShadow(host: HTMLElement) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const place = document.createElement('div')
  const fault = document.createElement('p')
  // Descriptions are found in the same tree only; eyes see it below the field.
  fault.id = 'fault'
  fault.hidden = true
  root.append(place, fault)
  return { root, place, fault }
}

function attributesOf(label: string, fault: string): Record<string, string> {
  const own = { 'aria-label': label, 'aria-multiline': 'false', autocapitalize: 'off' }
  return fault === '' ? own : { ...own, 'aria-describedby': 'fault', 'aria-invalid': 'true' }
}

function behaviour({ completion, onenter, placeholder: hint }: Options) {
  return [
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    // What is pasted from several lines becomes one.
    EditorState.transactionFilter.of((transaction) =>
      transaction.newDoc.lines > 1 ? joinLines(transaction) : transaction,
    ),
    marks,
    colours(completion.language),
    theme,
    placeholder(hint),
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    autocompletion({
      override: [complete(completion)],
      icons: false,
      // As many as are seen at once: arrows move on, and nothing has to be scrolled.
      maxRenderedOptions: 8,
      optionClass: ({ type }) => (type === 'deprecated' ? 'cm-deprecated' : ''),
    }),
    keymap.of([
      // It closes the list, not the window that the editor is in.
      { key: 'Escape', run: closeCompletion, stopPropagation: true },
      ...completionKeymap,
      ...closeBracketsKeymap,
      {
        key: 'Enter',
        run: (view) => {
          if (completionStatus(view.state) === 'active') closeCompletion(view)
          onenter()
          return true
        },
      },
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ]
}

/**
 * What is typed over a selection is put there by the editor. Browsers would keep the look of what goes by
 * styles in line, which the policy of contents forbids.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event
  const isPlain = inputType === 'insertText' && data !== null && !view.composing
  if (!isPlain || view.state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(view.state.replaceSelection(data), {
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

function joinLines({ newDoc, startState }: Transaction): TransactionSpec {
  const insert = newDoc.toString().replace(/\s*\n\s*/g, ' ')
  return {
    changes: { from: 0, to: startState.doc.length, insert },
    selection: { anchor: insert.length },
    userEvent: 'input.paste',
  }
}
