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

/** A list answer of a content service → the canonical format: the records are taken as they are. */
export function fromContentList(entity: string, answer: unknown) {
  return { kind: 'content', entity, items: Parse(envelope, answer).Items } as const
}
