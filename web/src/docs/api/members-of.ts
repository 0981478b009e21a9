import { resolveSchema } from './document.ts'
import type { Document, Schema } from './document.ts'

export type Member = {
  /** `*` stands for any name. */
  readonly name: string
  readonly member: Schema
  readonly isNeeded: boolean
}

/** The members of an object, those of all its parts; none for anything that is not an object. */
export function membersOf(document: Document, schema: Schema): readonly Member[] {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolveSchema(document, part))]
  return parts.flatMap(({ properties = {}, required = [], ...rest }) => {
    const named = Object.entries(properties).map(([name, member]) => ({
      ...{ name, member },
      isNeeded: required.includes(name),
    }))
    const others = [
      ...Object.values(rest.patternProperties ?? {}),
      ...(typeof rest.additionalProperties === 'object' ? [rest.additionalProperties] : []),
    ].filter((member) => Object.keys(member).length > 0)
    return [
      ...named,
      ...others.slice(0, 1).map((member) => ({ name: '*', member, isNeeded: false })),
    ]
  })
}
