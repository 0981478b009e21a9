import { EditorView } from '@codemirror/view'

/** The look of the page; its colours change with light and dark by themselves. */
export const theme = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: 'var(--size-s)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', minHeight: '4.5rem' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--accent) 28%, transparent) !important',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-wash)',
    outline: '1px solid var(--accent)',
  },
  '.expression-call, .expression-operator': { color: 'var(--accent)', fontWeight: '600' },
  '.expression-text': { color: 'var(--content)' },
  '.expression-number, .expression-constant': { color: 'var(--traffic)' },
  '.expression-sign': { color: 'var(--ink-soft)' },
  '.expression-wrong': {
    textDecoration: 'underline wavy var(--bad) 1.5px',
    textUnderlineOffset: '0.3em',
    backgroundColor: 'var(--bad-wash)',
  },
  '.expression-doubtful': {
    textDecoration: 'underline wavy var(--warn) 1.5px',
    textUnderlineOffset: '0.3em',
  },
  '.cm-tooltip': {
    zIndex: '60',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: 'none',
    maxWidth: 'min(34rem, 92vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '0.75rem',
    minHeight: '1.75rem',
    padding: '0.125rem 0.75rem',
    lineHeight: '1.4',
  },
  '@media (pointer: coarse)': {
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { minHeight: '2.75rem' },
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-wash)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': {
    textDecoration: 'none',
    fontWeight: '700',
    color: 'var(--accent)',
  },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    fontFamily: 'var(--text)',
    fontStyle: 'normal',
    color: 'var(--ink-soft)',
  },
  '.cm-deprecated .cm-completionLabel': { textDecoration: 'line-through' },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: '18rem',
    padding: '0.5rem 0.75rem',
    fontFamily: 'var(--text)',
    fontSize: 'var(--size-s)',
    whiteSpace: 'pre-line',
  },
})
