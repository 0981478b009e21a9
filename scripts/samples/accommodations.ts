import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const envelope = Type.Object({
  Items: Type.Array(
    Type.Intersect([
      Type.Record(Type.String(), Type.Unknown()),
      Type.Object({ Id: Type.String() }),
    ]),
  ),
})

/**
 * Converts a list response of a content service to the canonical format. The records stay
 * unchanged.
 */
export function fromContentList(entity: string, answer: unknown) {
  return { kind: 'content', entity, items: Parse(envelope, answer).Items } as const
}
