import { encodingSteps, printBoth } from '../datex/index.ts'
import type { Encodings, PrintedElement } from '../datex/index.ts'
import type { Printed } from './publication.ts'
import { toSituation3 } from './situation.ts'
import type { Supplier } from './situation.ts'

/** A publication as DATEX II v3, and what that version has no place for. */
export type Document3 = Encodings & { readonly notes: readonly string[] }

/** The situations of a publication as a SituationPublication of DATEX II v3, in the same order. */
export function* document3Steps(
  { written, publicationTime }: Printed,
  supplier: Supplier,
): Generator<undefined, Document3> {
  const notes = new Set<string>()
  const situation: PrintedElement[] = []
  for (const { event, candidate, phase, situation: known } of written.values()) {
    if (candidate === undefined || known === undefined || phase === 'gone') continue
    const note = (detail: string) => notes.add(`${event.series}: ${detail}`)
    const element = toSituation3(candidate, { supplier, phase }, note)
    if (element !== undefined) situation.push(printBoth(element))
    yield
  }
  const publication = {
    type: 'sit:SituationPublication',
    publicationTime,
    publisher: supplier,
    fields: { situation },
  }
  const encodings = yield* encodingSteps(publication, (detail) => notes.add(detail))
  return { ...encodings, notes: [...notes] }
}
