import type { Cell } from '../../read/cell.ts'

type SharedTexts = {
  /** Where the text of an id stands among the shared ones; -1 where it has none. */
  readonly placeOf: (id: string) => number
  /** Takes every text that is known to be shared. */
  readonly takeAll: () => void
  /** Those that were taken; a list is never changed, only replaced by a longer one. */
  readonly texts: () => readonly string[]
}

/**
 * The texts that many rows share, each once. What has a place keeps it: a reader may look at any rows with
 * the last list that came.
 */
export function shareTexts({ index, of }: Cell): SharedTexts {
  // Ids are whole numbers: a list is three times as fast as a map.
  const placeOfId: number[] = []
  const placeOfText = new Map<string, number>()
  const texts: string[] = []
  let list: readonly string[] = []
  const take = (id: string): number => {
    const text = of?.rows.get(id)?.[index]
    if (text === null || text === undefined) return -1
    const place = placeOfText.get(text) ?? texts.push(text) - 1
    placeOfText.set(text, place)
    placeOfId[Number(id)] = place
    return place
  }
  return {
    placeOf: (id) => placeOfId[Number(id)] ?? take(id),
    takeAll: () => {
      for (const id of of?.rows.keys() ?? []) if (placeOfId[Number(id)] === undefined) take(id)
    },
    texts: () => {
      if (list.length < texts.length) list = [...texts]
      return list
    },
  }
}
