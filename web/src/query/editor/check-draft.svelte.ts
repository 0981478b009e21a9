import { isAbort } from '../../api/index.ts'
import type { Dataset } from '../../dataset/query/index.ts'
import { checkExpression } from '../../api/index.ts'
import type { Check } from '../../api/index.ts'
import type { ExpressionLanguage } from '../expression/conditions.ts'

type Draft = {
  readonly dataset: Dataset
  readonly language: ExpressionLanguage
  readonly text: string
}

export type DraftCheck = {
  /**
   * The hub's check of the current text; undefined while it is running, if it failed, and for an
   * empty text.
   */
  readonly current: Check | undefined
  /**
   * Checks the text immediately, before it is applied. Returns undefined if the hub cannot be
   * reached.
   */
  readonly now: () => Promise<Check | undefined>
}

const pause = 250

/**
 * Lets the hub check an expression after each pause in typing. Checks of an outdated text are
 * aborted.
 */
export function checkDraft(draft: () => Draft): DraftCheck {
  let told = $state.raw<{ readonly text: string; readonly check: Check | undefined }>()

  async function look(wanted: Draft, signal: AbortSignal): Promise<Check | undefined> {
    const { dataset, language, text } = wanted
    if (text.trim() === '') return undefined
    const check = await checkExpression(
      dataset,
      { parameter: language, written: text },
      signal,
    ).catch((thrown: unknown) => {
      if (isAbort(thrown)) throw thrown
      // The request for the list will report the error.
      return undefined
    })
    if (!signal.aborted) told = { text, check }
    return check
  }

  $effect(() => {
    const wanted = draft()
    if (told?.text === wanted.text) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      look(wanted, stop.signal).catch(() => undefined)
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  })

  return {
    get current() {
      return told?.text === draft().text ? told.check : undefined
    },
    now: () => {
      const wanted = draft()
      if (told?.text === wanted.text && told.check !== undefined) return Promise.resolve(told.check)
      return look(wanted, new AbortController().signal)
    },
  }
}
