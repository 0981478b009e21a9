import type { Definition } from '../definition/definition.ts'
import { WholeFault } from '../faults.ts'
import type { SourceRejection } from '../faults.ts'

/**
 * Holds the items of a payload against what the mapping expects (`expect`): a delivery that is empty, or in which a
 * member was renamed, is refused whole rather than stored as nothing.
 * @throws WholeFault with everything that is missing
 */
export function assertExpected(expected: Definition['expect'], items: readonly unknown[]): void {
  const { items: least = 0, members = [] } = expected ?? {}
  const tooFew: readonly SourceRejection[] =
    items.length >= least ? [] : [{ source: null, reason: fewer(items.length, least) }]
  const missing = members
    .filter((pointer) => items.length > 0 && !items.some((item) => hasValue(item, pointer)))
    .map((pointer) => ({ source: null, pointer, reason: renamed }))
  if (tooFew.length + missing.length > 0) throw new WholeFault([...tooFew, ...missing])
}

function fewer(found: number, least: number): string {
  return `has ${String(found)} of at least ${String(least)} items that are expected (expect.items)`
}

const renamed =
  'has a value in no item; was the member renamed? The mapping expects it (expect.members)'

/** Blank texts are no values: CSV and XML have no others for nothing. */
function hasValue(item: unknown, pointer: string): boolean {
  const value = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      item,
    )
  return value !== undefined && value !== null && value !== ''
}
