import type { Deprecation } from './deprecation.ts'

/** When the deprecations of interface 9 were announced here, and until when they are served at least. */
const announced = { deprecated: '2026-11-20', removedAfter: '2027-12-31' } as const

/** What interface 9.1 lists as removed was gone before this hub was first published. */
const gone = { deprecated: '2025-11-20', removedAfter: '2026-11-19' } as const

type Row = Omit<Deprecation, 'entity'>

const member = (name: string, description: string): Row => ({
  kind: 'member',
  name,
  state: 'deprecated',
  description,
  ...announced,
})

/** Members that something else says now, in another form. */
export const replaced = (names: readonly string[], replacement: string): readonly Row[] =>
  names.map((name) => member(name, `Use ${replacement}`))

/** Members that nothing replaces. */
export const obsolete = (names: readonly string[]): readonly Row[] =>
  names.map((name) => member(name, 'Obsolete'))

/** Members whose value stands under another path now, as it is: from old to new. */
export const moved = (paths: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(paths).map(([name, path]) => ({ ...member(name, `Use ${path}`), copyOf: path }))

/** The same for members that keep their name within another object. */
export const movedInto = (object: string, names: readonly string[]): readonly Row[] =>
  moved(Object.fromEntries(names.map((name) => [name, `${object}.${name}`])))

/** Members that are neither stored nor served: names, and the types that they had. */
export const removed = (types: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(types).map(([name, type]) => ({
    kind: 'member',
    name,
    state: 'removed',
    type,
    description: 'Removed: it is taken when it is sent, and not kept',
    ...gone,
  }))

/** A query parameter of the list. */
export const parameter = (name: string, replacement: string): Row => ({
  kind: 'parameter',
  name,
  state: 'deprecated',
  description: `Use ${replacement}`,
  ...announced,
})

/** An address. */
export const route = (name: string, description: string): Row => ({
  kind: 'route',
  name,
  state: 'deprecated',
  description,
  ...announced,
})

/** Rows of one entity. */
export const of = (entity: string, ...rows: readonly (readonly Row[])[]): readonly Deprecation[] =>
  rows.flat().map((row) => ({ entity, ...row }))
