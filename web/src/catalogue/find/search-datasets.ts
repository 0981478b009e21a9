import type { Dataset } from '../../api/index.ts'
import { languages } from '../../language/choose-language.ts'
import type { Language } from '../../language/choose-language.ts'
import { fold, spellOut, termsOf, synonymsOf } from './synonyms.ts'

/** Searched texts of a dataset, with the weight of a match in each. */
const places = [
  ['title', 8],
  ['name', 5],
  ['otherTitles', 4],
  ['parts', 3],
  ['description', 1],
] as const

type Place = (typeof places)[number][0]

/** Score of a match, by its position in the text. */
const atBeginning = 3
const atWord = 2
const withinWord = 1
const ofSynonym = 0.4

type Indexed = {
  readonly dataset: Dataset
  readonly texts: Readonly<Record<Place, string>>
}

/**
 * Prepares datasets for searching. Titles in the given language weigh more than those in other
 * languages.
 */
export function indexDatasets(
  datasets: readonly Dataset[],
  language: Language,
): readonly Indexed[] {
  return datasets.map((dataset) => {
    const { title, description, tags, dataTypes, sources, licences, formats } = dataset
    const parts = [
      ...[...tags, ...dataTypes].map(({ id }) => spellOut(id)),
      ...[...sources, ...licences].map(spellOut),
      ...formats.map(({ name }) => name),
    ]
    const others = languages.filter((one) => one !== language).map((one) => title[one])
    const texts = {
      title: fold(title[language]),
      name: fold(`${spellOut(dataset.type)} ${dataset.service}`),
      otherTitles: fold(others.join(' ')),
      parts: fold(parts.join(' ')),
      description: fold(Object.values(description).join(' ')),
    }
    return { dataset, texts }
  })
}

export type Found = { readonly dataset: Dataset; readonly score: number }

/** Returns the datasets that match every word of the search, directly or by a synonym. */
export function searchDatasets(indexed: readonly Indexed[], search: string): readonly Found[] {
  const terms = termsOf(search).map((term) => ({ term, synonyms: synonymsOf(term) }))
  return indexed.flatMap((one) => {
    const scores = terms.map(({ term, synonyms }) =>
      Math.max(scoreOf(one, term), ...synonyms.map((word) => ofSynonym * scoreOf(one, word))),
    )
    if (scores.includes(0)) return []
    return [{ dataset: one.dataset, score: scores.reduce((sum, score) => sum + score, 0) }]
  })
}

/** Returns up to three words of titles that resemble the search, the closest first. */
export function closestWords(indexed: readonly Indexed[], search: string): readonly string[] {
  const [term = ''] = termsOf(search)
  if (term.length < 3) return []
  const all = indexed.flatMap(({ texts: { title, name } }) => termsOf(`${title} ${name}`))
  return [...new Set(all)]
    .map((word) => ({ word, far: distance(term, word) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(term.length / 3)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** Returns the number of letters to change, add or remove (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(a).entries()) {
    const next = [index + 1]
    for (const [place, other] of Array.from(b).entries()) {
      const replaced = (row[place] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function scoreOf({ texts }: Indexed, term: string): number {
  const found = places.reduce(
    (sum, [place, weight]) => sum + weight * countOf(texts[place], term),
    0,
  )
  // A title with the same stem counts as a match: “car parks” for “parking”.
  const isKin = found > 0 && !texts.title.includes(term) && hasWord(texts.title, term.slice(0, 4))
  return isKin ? found + atWord * places[0][1] : found
}

function countOf(text: string, term: string): number {
  if (text.startsWith(term)) return atBeginning
  if (hasWord(text, term)) return atWord
  // Short terms match only at the start of a word; longer ones also within, as in German compounds.
  return term.length >= 3 && text.includes(term) ? withinWord : 0
}

function hasWord(text: string, beginning: string): boolean {
  return ` ${text}`.includes(` ${beginning}`)
}

export const sorts = ['fitting', 'title', 'changed', 'count'] as const

type Sort = (typeof sorts)[number]

/** Sorts search results. Equal results keep the order of the hub. */
export function sortDatasets(
  found: readonly Found[],
  { sort, language }: { readonly sort: Sort; readonly language: Language },
): readonly Found[] {
  const compare: Readonly<Record<Sort, (a: Found, b: Found) => number>> = {
    fitting: (a, b) => b.score - a.score,
    title: ({ dataset: a }, { dataset: b }) =>
      a.title[language].localeCompare(b.title[language], language),
    changed: ({ dataset: a }, { dataset: b }) => timeOf(b.updated) - timeOf(a.updated),
    count: ({ dataset: a }, { dataset: b }) => (b.count ?? -1) - (a.count ?? -1),
  }
  return found.toSorted(compare[sort])
}

function timeOf(updated: string | null): number {
  return updated === null ? 0 : Date.parse(updated) || 0
}

/** Groups search results by service, in the order of the hub. */
export function byService(found: readonly Found[]) {
  const services = [...new Set(found.map(({ dataset }) => dataset.service))]
  return services.map((service) => ({
    service,
    found: found.filter(({ dataset }) => dataset.service === service),
  }))
}
