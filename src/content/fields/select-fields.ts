import { isWild } from './path.ts'
import type { FieldPath, Step } from './path.ts'

/**
 * The flat object that `fields` asks for: `Id` first, then one member per path, named as written.
 * A missing path gives null; a path with a wildcard always an array (decision D23).
 */
export function selectFields(record: object, paths: readonly FieldPath[]): object {
  const selected: [string, unknown][] = paths.map((path) => [path.text, valueAt(record, path)])
  return Object.fromEntries([['Id', memberOf(record, 'Id') ?? null], ...selected])
}

function valueAt(record: object, path: FieldPath): unknown {
  const found = path.steps.reduce<readonly unknown[]>(follow, [record])
  return isWild(path) ? found : (found[0] ?? null)
}

function follow(values: readonly unknown[], step: Step): readonly unknown[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    switch (step.kind) {
      case 'each':
        return elementsOf(value)
      case 'element':
        return Array.isArray(value) ? present(value[step.index]) : []
      case 'member':
        return Array.isArray(value) ? [] : present(memberOf(value, step.name))
    }
  })
}

/** Wrapped, so that an array found at a path is one value and not its elements. */
function present(value: unknown): readonly [unknown] | readonly [] {
  return value === undefined ? [] : [value]
}

function elementsOf(parent: object): readonly unknown[] {
  return Object.values(parent)
}

/** Own members only: what every object inherits is no data. */
function memberOf(parent: object, name: string): unknown {
  const value: unknown = Object.getOwnPropertyDescriptor(parent, name)?.value
  return value
}
