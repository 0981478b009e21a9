import type { Visibility } from '../../access/index.ts'
import type { Entity } from '../entity.ts'
import type { FieldPath } from '../fields/path.ts'
import type { Representation } from '../representation/index.ts'
import type { ListPlan } from '../list/plan.ts'
import { noMobility } from './mobility.ts'
import type { Mobility } from './mobility.ts'
import { createShownMetaData } from './shown-meta-data.ts'
import type { Shown } from './shown-meta-data.ts'
import type { Deps } from './record-counts.ts'

/** Tells what is made for an answer with these fields; undefined when it shows nothing of it. */
export type Maker = (
  representation: Representation,
  visibility: Visibility,
) => Promise<Shown | undefined>

type Given = { readonly publicUrl: string; readonly mobility?: Mobility }

/** What is made when records of an entity are read, beside what is stored. */
export function makerOf(
  entity: Entity,
  { mobility = noMobility, ...deps }: Omit<Deps, 'mobility'> & Given,
): Maker {
  if (entity.computedMembers.length === 0) return () => Promise.resolve(undefined)
  const prepare = createShownMetaData({ ...deps, mobility })
  return async ({ fields }, visibility) => {
    const shown = (name: string) =>
      fields.length === 0 || fields.some((path) => leadsTo(path, name))
    if (!entity.computedMembers.some(shown)) return undefined
    return prepare({ counts: shown('RecordCount'), visibility })
  }
}

function leadsTo({ steps: [first] }: FieldPath, name: string): boolean {
  return first?.kind !== 'member' || first.name === name
}

type Plan = { readonly representation: Representation }

/** Fields of what is made are selected after it is. */
export function readStored<Any extends Plan>(plan: Any, made: Shown | undefined): Any {
  if (made === undefined) return plan
  return { ...plan, representation: { ...plan.representation, selectedBy: 'hub' } }
}

/** The plan of a list whose records are shown with what is made on read. */
export function withMade(plan: ListPlan, made: Shown | undefined): ListPlan {
  if (made === undefined) return plan
  const { rewrite, basis } = made
  return {
    ...readStored(plan, made),
    rewrites: [...plan.rewrites, rewrite],
    basis: [plan.basis, basis].join(' '),
  }
}
