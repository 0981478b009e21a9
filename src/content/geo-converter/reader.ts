import { notUnderstood, shown } from './faults.ts'
import type { Place } from './faults.ts'
import type { Shapes } from './geometry.ts'
import type { XmlEvent } from './scan-xml.ts'

/** Geometries by part of the file: `placemarks` of KML; `waypoints`, `routes`, `tracks` of GPX. */
export type Found = Readonly<Record<string, Shapes>>

/** Reads one file, event by event. */
export type Reader = {
  /** Elements whose text the reader needs. */
  readonly texts: ReadonlySet<string>
  /** Processes an event. Each element that it yields is a step of work of about a millisecond. */
  readonly take: (event: XmlEvent) => Iterable<undefined>
  /** Returns the geometries, once the file has ended. */
  readonly found: () => Found
}

/**
 * Meaning of elements by their parent: for each meaning, the names of the child elements that have
 * a meaning, and that meaning. `*` matches any other name; without it, nothing below such an
 * element has a meaning.
 */
export type Grammar<Meaning extends string> = ReadonlyMap<Meaning, ReadonlyMap<string, Meaning>>

export type Attributes = Readonly<Record<string, string>>

/**
 * Kind of file, with handlers for the start, the text and the end of elements that have a meaning.
 */
export type FileKind<Meaning extends string> = {
  readonly root: { readonly name: string; readonly meaning: Meaning; readonly hint: string }
  readonly grammar: Grammar<Meaning>
  readonly texts: ReadonlySet<string>
  readonly enter: (meaning: Meaning, attributes: Attributes, at: Place) => void
  readonly read: (meaning: Meaning, text: string, at: Place) => Iterable<undefined>
  readonly leave: (meaning: Meaning, at: Place) => void
  readonly found: () => Found
}

/** No further steps of work. */
export const nothingLeft: readonly undefined[] = []

/**
 * Returns a reader for a kind of file.
 * @throws AppError HUB-GEO-001 from `take`, if the file is of another kind, or not valid
 */
export function createReader<Meaning extends string>(kind: FileKind<Meaning>): Reader {
  const path: (Meaning | undefined)[] = []
  const meaningOf = (name: string, at: Place) => {
    if (path.length === 0) return rootOf(kind, name, at)
    const parent = path.at(-1)
    const names = parent === undefined ? undefined : kind.grammar.get(parent)
    return names?.get(name) ?? names?.get('*')
  }
  const take = (event: XmlEvent): Iterable<undefined> => {
    if (event.kind === 'open') {
      const meaning = meaningOf(event.name, event.at)
      path.push(meaning)
      if (meaning !== undefined) kind.enter(meaning, event.attributes, event.at)
      return nothingLeft
    }
    const meaning = event.kind === 'text' ? path.at(-1) : path.pop()
    if (meaning === undefined) return nothingLeft
    if (event.kind === 'text') return kind.read(meaning, event.text, event.at)
    kind.leave(meaning, event.at)
    return nothingLeft
  }
  return { texts: kind.texts, take, found: kind.found }
}

function rootOf<Meaning extends string>({ root }: FileKind<Meaning>, name: string, at: Place) {
  if (name === root.name) return root.meaning
  const detail = `The file begins with the element ${shown(name)}, not with ${shown(root.name)}.`
  throw notUnderstood(detail, at, root.hint)
}
