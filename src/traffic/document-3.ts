import { printBoth, toEncodings } from '../datex/index.ts'
import type { Encodings } from '../datex/index.ts'
import type { Printed } from './publication.ts'
import { toSituation3 } from './situation.ts'
import type { Supplier } from './situation.ts'

/** A publication as DATEX II v3, and what that version has no place for. */
export type Document3 = Encodings & { readonly notes: readonly string[] }

/** The situations of a publication as a SituationPublication of DATEX II v3, in the same order. */
export function toDocument3({ written, publicationTime }: Printed, supplier: Supplier): Document3 {
  const notes = new Set<string>()
  const situation = [...written.values()].flatMap(
    ({ event, candidate, phase, situation: known }) => {
      if (candidate === undefined || known === undefined || phase === 'gone') return []
      const note = (detail: string) => notes.add(`${event.series}: ${detail}`)
      const element = toSituation3(candidate, { supplier, phase }, note)
      return element === undefined ? [] : [printBoth(element)]
    },
  )
  const publication = {
    type: 'sit:SituationPublication',
    publicationTime,
    publisher: supplier,
    fields: { situation },
  }
  return { ...toEncodings(publication, (detail) => notes.add(detail)), notes: [...notes] }
}
