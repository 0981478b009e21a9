import type { TSchema } from 'typebox'
import { stepInto } from '../../deprecations/index.ts'
import { holdersAt, isAbsent, isObject } from './draft.ts'
import type { Draft, Members } from './draft.ts'
import type { GeneratorFor } from './generator.ts'

/** One row of the table of deprecations, as steps through a record. */
type Copy = {
  /** Where both stand, through arrays; it ends in `*` for every key. */
  readonly parent: readonly string[]
  readonly to: string
  readonly from: readonly string[]
}

/** Members that have moved stand where they stood before as well, as the table says. */
export const copies: GeneratorFor = ({ schema, deprecations }) => {
  const rows = deprecations.flatMap(({ name, copyOf }) =>
    copyOf === undefined ? [] : [toCopy(schema, name, copyOf)],
  )
  if (rows.length === 0) return undefined
  return (draft) => {
    for (const row of rows) copy(draft, row)
  }
}

function copy(draft: Draft, { parent, to, from }: Copy): void {
  if (parent.length === 0) {
    if (isAbsent(draft.record[to])) draft.give([to], valueAt(draft.record, from))
    return
  }
  for (const path of expand(draft.record, parent)) {
    // In an array, what the sender says of one element is not told apart from what is made of another.
    if (holdersAt(draft.record, path).some((holder) => !isAbsent(holder[to]))) continue
    draft.replace(path, to, (holder) => {
      const value = valueAt(holder, from)
      return isAbsent(value) ? holder : { ...holder, [to]: value }
    })
  }
}

/** The path for each key that stands in the place of its last step, `*`. */
function expand(record: Members, path: readonly string[]): readonly (readonly string[])[] {
  if (path.at(-1) !== '*') return [path]
  const above = path.slice(0, -1)
  return holdersAt(record, above).flatMap((keyed) =>
    Object.keys(keyed).map((key) => [...above, key]),
  )
}

function toCopy(schema: TSchema, name: string, copyOf: string): Copy {
  const to = name.split('.')
  const from = copyOf.split('.')
  const shared = to.findIndex((step, index) => step !== from[index] || index === to.length - 1)
  return {
    parent: withKeys(schema, to.slice(0, shared)),
    to: to.slice(shared).join('.'),
    from: from.slice(shared),
  }
}

/** The steps of a path of the table, which leaves out the keys of languages and free text. */
function withKeys(schema: TSchema, path: readonly string[]): readonly string[] {
  const steps: string[] = []
  let at: TSchema | undefined = schema
  for (const name of path) {
    const step: ReturnType<typeof stepInto> = at && stepInto(at, name)
    steps.push(name)
    at = step?.schema
  }
  // What a keyed object holds stands behind its keys.
  return at !== undefined && stepInto(at, '*')?.isKey === true ? [...steps, '*'] : steps
}

function valueAt(record: Members, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), record)
}
