import { Type } from 'typebox'

const part = {
  Canonical: Type.String({ description: 'The condition as it was understood' }),
  Matches: Type.Integer({ description: 'Records that it leaves by itself' }),
}

/** What a list answers with `explain=true`. */
export const explanation = Type.Object({
  TotalResults: Type.Integer({ description: 'Records that all filters together leave' }),
  Visible: Type.Integer({ description: 'Records that the caller sees without any filter' }),
  Filters: Type.Array(
    Type.Object({
      ...part,
      Parameter: Type.String(),
      Parts: Type.Array(Type.Object(part)),
      Hints: Type.Array(Type.String({ description: 'What was perhaps meant' })),
    }),
  ),
  Order: Type.Array(Type.String({ description: 'What orders the list; - means downwards' })),
})
