import { address, change } from '../address/index.ts'
import { keep, readKept } from '../address/kept.ts'
import { chooseLanguage, languages } from './choose-language.ts'
import type { Language } from './choose-language.ts'

const kept = 'hub.language'

let stored = $state(readKept(kept))

const current = $derived(
  chooseLanguage([address.search.get('lang'), stored, ...navigator.languages]),
)

/** Language of the page: from `?lang=`, or else the stored choice, or else the browser's. */
export const language = {
  get current(): Language {
    return current
  },
}

/** Changes the language and writes it to the URL, so that a shared link keeps it. */
export function speak(next: Language): void {
  stored = next
  keep(kept, next)
  change((search) => {
    search.set('lang', next)
  })
}

/** A text in German, Italian and English. */
export type Text = readonly [de: string, it: string, en: string]

/** Texts by name. Values that are not texts are the same in every language. */
type Messages = {
  readonly [name: string]:
    | Text
    | string
    | readonly Messages[]
    | ((...given: never[]) => Text | string | undefined)
    | Messages
}

/** The type of messages in one language. */
type Spoken<Message> = Message extends Text
  ? string
  : Message extends (...given: infer Given) => infer Said
    ? (...given: Given) => Said extends Text ? string : Said
    : { readonly [Name in keyof Message]: Spoken<Message[Name]> }

/**
 * Returns the messages of a view in the language of the page:
 * `const words = inLanguage({ title: ['Suche', 'Cerca', 'Search'] })`, then `words().title` in
 * components. A missing language does not compile.
 */
export function inLanguage<const All extends Messages>(all: All): () => Spoken<All>
export function inLanguage(all: unknown): () => unknown {
  const spoken = new Map<Language, unknown>()
  return () => {
    const { current } = language
    if (!spoken.has(current)) spoken.set(current, say(all, current))
    return spoken.get(current)
  }
}

function say(message: unknown, of: Language): unknown {
  if (isText(message)) return pick(message, of)
  if (Array.isArray(message)) return message.map((one: unknown) => say(one, of))
  if (typeof message === 'function') {
    return (...given: readonly unknown[]) => say(Reflect.apply(message, undefined, given), of)
  }
  if (typeof message !== 'object' || message === null) return message
  const entries = Object.entries(message).map(([name, one]) => [name, say(one, of)] as const)
  return Object.fromEntries(entries)
}

function isText(message: unknown): message is Text {
  // Any other list holds messages only (`Messages`); a list of plain strings would be mistaken for
  // a text.
  return Array.isArray(message) && typeof message[0] === 'string'
}

/** Returns a text in a language, by default the page's. */
export function pick(text: Text, of: Language = language.current): string {
  return text[languages.indexOf(of)] ?? text[2]
}
