import type { Member } from '../../api/index.ts'
import { isMembers, listOf, membersOf, numberOf, sayIn, textOf } from './json.ts'
import type { Members } from './json.ts'

/** What the hub says of a field, as far as it is shown by that. */
export type Description = Pick<
  Member,
  'path' | 'type' | 'label' | 'role' | 'part' | 'entity' | 'deprecated'
>

/** A record with what the hub says of its fields. */
export type Described = { readonly record: Members; readonly members: readonly Description[] }

/** A contact, a picture, a place …: fields that belong together, each by what it is in it. */
export type Structure = {
  readonly path: string
  readonly label: Member['label']
  /** The name that it is kept under, where it is one of several with names. */
  readonly key: string | undefined
  readonly value: (part: string) => unknown
  readonly text: (part: string) => string | undefined
  readonly number: (part: string) => number | undefined
  /** The structures within it. */
  readonly all: (part: string) => readonly Structure[]
}

type Found = { readonly value: unknown; readonly key?: string | undefined }

/** Deeper lists belong to what holds them, such as the pictures of a room. */
const own = /^[\w.]+(\.(\[\*\]|\{\w+\}))?$/

/** The structures of a record with one of some roles, in the order of the roles. */
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

/** The structures at a path. */
export function structuresAt(
  { record, members }: Described,
  { path, label }: Pick<Structure, 'path' | 'label'>,
  language: string,
): readonly Structure[] {
  return valuesAt(record, path, language).map((found) =>
    toStructure(found, { path, label, members, language }),
  )
}

/** The record itself, as the structure that it can be. */
export function rootOf({ record, members }: Described, language: string): Structure {
  const atRoot = members.filter(({ path }) => !path.includes('.'))
  return toStructure({ value: record }, { path: '', label: null, members: atRoot, language })
}

/** The texts of the fields with a role. */
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
    // A picture may be its address alone, a tag its identifier.
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

/** What is at a path as the hub writes it; of several languages the one that is read. */
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
