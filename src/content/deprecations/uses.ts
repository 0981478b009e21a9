import type { FastifyReply } from 'fastify'
import type { Entity } from '../entity.ts'
import type { FieldPath } from '../fields/path.ts'
import { fieldsIn, parseRawFilter, toStoredField } from '../rawfilter/index.ts'
import type { Field } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort/index.ts'
import type { Deprecation } from './deprecation.ts'
import { membersOnTheWay } from './member-at.ts'
import { tellDeprecated } from './tell-deprecated.ts'

/** What a request names, as far as it may name something deprecated. */
type Named = {
  readonly fields: readonly FieldPath[]
  readonly query: Readonly<Record<string, unknown>>
}

type Path = readonly string[]

/** Says in the headers what the request names of what is deprecated. */
export function tellUses(
  reply: FastifyReply,
  { entity, publicUrl, ...named }: Named & { readonly entity: Entity; readonly publicUrl: string },
): void {
  tellDeprecated(reply, { uses: deprecatedUses(entity, named), publicUrl })
}

/** The deprecated members and parameters that a request names; a request for whole records names none. */
export function deprecatedUses(entity: Entity, { fields, query }: Named): readonly Deprecation[] {
  const paths = [...fields.map(namesOf), ...pathsIn(entity, query)]
  if (paths.length === 0 && !entity.deprecations.some(({ name }) => name in query)) return []
  const members = new Set(paths.flatMap((path) => membersOnTheWay(entity.schema, path)))
  return entity.deprecations.filter(({ kind, name }) => {
    if (kind === 'member') return members.has(name)
    return kind === 'parameter' && query[name] !== undefined
  })
}

function namesOf({ steps }: FieldPath): Path {
  return steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
}

/** Members in expressions; the plan has read them before, so they are known to be right. */
function pathsIn(entity: Entity, { rawfilter, rawsort }: Named['query']): readonly Path[] {
  const toPath = (field: Field) => toStoredField(field, { entity, naming: entity.naming }).names
  return [
    ...(typeof rawfilter === 'string' ? fieldsIn(parseRawFilter(rawfilter)) : []),
    ...(typeof rawsort === 'string' ? parseRawSort(rawsort).keys.map(({ field }) => field) : []),
  ].map(toPath)
}
