import type { Member } from '../../api/index.ts'
import { isMembers, listOf, membersOf, numberOf, sayIn, textOf } from './json.ts'
import type { Members } from './json.ts'

/** The part of a field's description that decides how it is shown. */
export type Description = Pick<
  Member,
  'path' | 'type' | 'label' | 'role' | 'part' | 'entity' | 'deprecated'
>

/** A record with the descriptions of its fields. */
export type Described = { readonly record: Members; readonly members: readonly Description[] }

/**
 * A group of related fields, such as a contact, a picture or a place, with access by their part in
 * it.
 */
export type Structure = {
  readonly path: string
  readonly label: Member['label']
  /** Its key, if it is one of several named structures. */
  readonly key: string | undefined
  readonly value: (part: string) => unknown
  readonly text: (part: string) => string | undefined
  readonly number: (part: string) => number | undefined
  /** Returns the structures nested in it. */
  readonly all: (part: string) => readonly Structure[]
}

type Found = { readonly value: unknown; readonly key?: string | undefined }

/** Deeper lists belong to the structure that contains them, such as the pictures of a room. */
const own = /^[\w.]+(\.(\[\*\]|\{\w+\}))?$/

/** Returns the structures of a record that have one of some roles, in the order of the roles. */
export function structuresOf(
  of: Described,
  roles: readonly Member['role'][],
  language: string,
): readonly Structure[] {
  return roles.flatMap((role) =>
    of.members
      .filter((one) => one.role === role && own.test(one.path))
      .flatMap((one) => structuresAt(of, one, language)),
  )
}

/** Returns the structures at a path. */
export function structuresAt(
  { record, members }: Described,
  { path, label }: Pick<Structure, 'path' | 'label'>,
  language: string,
): readonly Structure[] {
  return valuesAt(record, path, language).map((found) =>
    toStructure(found, { path, label, members, language }),
  )
}

/** Returns the record itself as a structure of its top-level fields. */
export function rootOf({ record, members }: Described, language: string): Structure {
  const atRoot = members.filter(({ path }) => !path.includes('.'))
  return toStructure({ value: record }, { path: '', label: null, members: atRoot, language })
}

/** Returns the texts of all fields with a role. */
export function textsOf(
  { record, members }: Described,
  role: Member['role'],
  language = '',
): readonly string[] {
  return members
    .filter((one) => one.role === role)
    .flatMap(({ path }) => valuesAt(record, path, language))
    .flatMap(({ value }) => textOf(value) ?? [])
}

type Reading = Pick<Structure, 'path' | 'label'> & {
  readonly members: readonly Description[]
  readonly language: string
}

function toStructure(found: Found, { path, label, members, language }: Reading): Structure {
  const inside = path === '' ? '' : `${path}.`
  const valuesOf = (part: string) =>
    members
      .filter((one) => one.part === part && one.path.startsWith(inside))
      .flatMap((one) =>
        valuesAt(found.value, one.path.slice(inside.length), language).map((held) => ({
          held,
          one,
        })),
      )
  const value = (part: string) => {
    // A picture may be just a URL, and a tag just an id.
    if (!isMembers(found.value)) return part === 'url' || part === 'id' ? found.value : undefined
    return valuesOf(part).find(({ held }) => isSaid(held.value))?.held.value
  }
  return {
    path,
    label,
    key: found.key,
    value,
    text: (part) => textOf(value(part)),
    number: (part) => numberOf(value(part)),
    all: (part) =>
      valuesOf(part).map(({ held, one }) =>
        toStructure(held, { path: one.path, label: one.label, members, language }),
      ),
  }
}

/** Returns the values at a catalogue path. Of several languages, only one is returned. */
export function valuesAt(value: unknown, path: string, language: string): readonly Found[] {
  const steps = path === '' ? [] : path.split('.')
  return steps
    .reduce<readonly Found[]>(
      (all, step) =>
        all.flatMap(({ value: held, key }) =>
          step === '[*]'
            ? listOf(held).map((one) => ({ value: one, key }))
            : step === '{key}'
              ? Object.entries(membersOf(held)).map(([name, one]) => ({ value: one, key: name }))
              : [
                  {
                    value:
                      step === '{language}' ? sayIn(held, language)?.said : membersOf(held)[step],
                    key,
                  },
                ],
        ),
      [{ value }],
    )
    .filter((found) => found.value !== undefined)
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
