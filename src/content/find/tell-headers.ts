import { reasonFor, setCaching, tellWithheld } from '../../http/index.ts'
import type { Exchange, Withheld } from '../../http/index.ts'
import { tellDeprecated } from '../deprecations/tell-deprecated.ts'
import { deprecatedUses } from '../deprecations/uses.ts'
import type { FieldPath } from '../fields/path.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import type { ReadDeps } from '../read-deps.ts'
import { withheldFields, withheldRecords } from '../withheld.ts'
import type { FindPlan } from './plan.ts'

type Telling = {
  readonly plan: FindPlan
  readonly caller: Caller
  readonly fields: readonly FieldPath[]
  readonly query: { readonly type?: readonly string[]; readonly rawsort?: string }
}

/** Who may keep the answer, what was left out of it, and what of the request is deprecated. */
export function tellHeaders(deps: ReadDeps, { request, reply }: Exchange, telling: Telling): void {
  const { plan, caller, fields, query } = telling
  const { principal } = request
  const entities = plan.branches.map(({ list }) => list.entity)
  // Whole entities that take a token are withheld where nobody names them.
  const isAll = query.type === undefined && entities.length < deps.entities.length
  const withheld = entities.flatMap((entity): readonly Withheld[] => [
    ...withheldFields(entity, caller),
    ...withheldRecords(entity, caller),
  ])
  const kinds = [...new Set([...withheld, ...(isAll ? (['records'] as const) : [])])].sort()
  setCaching(reply, principal)
  tellWithheld(reply, kinds, reasonFor(principal))
  const named = plan.branches.flatMap(({ list }) =>
    deprecatedUses(list.entity, {
      fields,
      query: { rawfilter: filterOf(list), rawsort: query.rawsort },
    }),
  )
  tellDeprecated(reply, { uses: [...new Set(named)], publicUrl: deps.publicUrl })
}

function filterOf({ filters }: ListPlan): string | undefined {
  return filters.find(({ parameter }) => parameter === 'rawfilter')?.text
}
