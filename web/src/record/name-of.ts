import { language, languageName } from '../language/index.ts'
import { words } from './words.ts'

/** What a language is called in the one of the page. */
export function nameOfLanguage(code: string): string {
  return languageName(code, language.current)
}

/** What a text at a path is called; outside of the details of a record also what it is of. */
export function nameOfText(path: string): string {
  const [member = '', name] = path.split('.')
  if (name === undefined) return nameOfMember(member)
  return /^(Acco)?Detail$/.test(member)
    ? nameOfMember(name)
    : `${nameOfMember(member)}: ${nameOfMember(name)}`
}

/** What a member is called: in words where it is known, else its own name, spelled out. */
function nameOfMember(name: string): string {
  const known: Readonly<Record<string, string>> = words().names
  return known[name] ?? name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}
