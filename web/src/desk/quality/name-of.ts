import { language, languageName } from '../../language/index.ts'
import type { Figure } from './load-quality.ts'
import { words } from './words.ts'

/** Returns the label of a figure: “Text missing · Italian”. */
export function nameOf({ measure, language: of }: Pick<Figure, 'measure' | 'language'>): string {
  const what = words().missing[measure]
  return of === null ? what : `${what} · ${languageName(of, language.current)}`
}
