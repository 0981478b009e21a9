import { everything } from '../../dataset/query/dataset-query.ts'
import type { Area, DatasetQuery } from '../../dataset/query/index.ts'
import { languageName } from '../../language/intl.ts'

/** An active filter, and the change that removes it. */
export type Chip = {
  readonly key: string
  readonly label: string
  /** Name for screen readers: “Tag: Summer”. */
  readonly name: string
  readonly without: Partial<DatasetQuery>
}

/** Labels of filters in the language of the page. */
export type ChipWords = {
  readonly search: string
  readonly tag: string
  readonly language: string
  readonly source: string
  readonly licence: string
  readonly dataType: string
  readonly active: { readonly yes: string; readonly no: string }
  readonly area: (area: Area) => string
  readonly areaTitle: string
  readonly expression: string
  readonly titleOfTag: (id: string) => string
  readonly nameOfLanguage: (id: string) => string
  /** Returns title and value of a further parameter. */
  readonly parameter: (name: string, value: string) => readonly [title: string, value: string]
}

type ListName = 'tags' | 'languages' | 'sources' | 'licences' | 'dataTypes'

/** Returns all active filters in the order of the panel. Each can be removed separately. */
export function chipsOf(query: DatasetQuery, words: ChipWords): readonly Chip[] {
  const list = (name: ListName, title: string, label: (id: string) => string) =>
    query[name].map((id) => ({
      key: `${name}:${id}`,
      label: label(id),
      name: `${title}: ${label(id)}`,
      without: { [name]: query[name].filter((one) => one !== id) },
    }))
  const plain = (id: string) => id
  return [
    ...single(query.search === '' ? undefined : `“${query.search}”`, 'search', words.search),
    ...list('tags', words.tag, words.titleOfTag),
    ...list('languages', words.language, words.nameOfLanguage),
    ...list('dataTypes', words.dataType, plain),
    ...list('sources', words.source, plain),
    ...list('licences', words.licence, plain),
    ...(query.active === 'any' ? [] : single(words.active[query.active], 'active')),
    ...single(query.area && words.area(query.area), 'area', words.areaTitle),
    ...parameterChips(query, words),
    ...single(
      query.expression === '' ? undefined : query.expression,
      'expression',
      words.expression,
    ),
  ]
}

function single(
  label: string | undefined,
  name: 'search' | 'active' | 'area' | 'expression',
  title?: string,
): readonly Chip[] {
  if (label === undefined) return []
  const spoken = title === undefined ? label : `${title}: ${label}`
  return [{ key: name, label, name: spoken, without: { [name]: everything[name] } }]
}

function parameterChips(query: DatasetQuery, words: ChipWords): readonly Chip[] {
  return Object.entries(query.parameters).map(([name, value]) => {
    const [title, written] = words.parameter(name, value)
    const label = written === '' ? title : `${title}: ${written}`
    return {
      key: `parameter:${name}`,
      label,
      name: label,
      without: { parameters: withParameter(query.parameters, name, '') },
    }
  })
}

/** Returns the parameters with one of them changed. An empty value removes it. */
export function withParameter(
  parameters: DatasetQuery['parameters'],
  name: string,
  value: string,
): DatasetQuery['parameters'] {
  const others = Object.entries(parameters).filter(([one]) => one !== name)
  return Object.fromEntries(value === '' ? others : [...others, [name, value]])
}

/** Returns the title of a tag, in the given language or else in another one. */
export function titleOfTag(
  { id, title }: { readonly id: string; readonly title: Readonly<Partial<Record<string, string>>> },
  language: string,
): string {
  return title[language] ?? title['en'] ?? title['de'] ?? id
}

/** Returns the capitalized name of a language in another one: `de` in English is German. */
export function nameOfLanguage(id: string, language: string): string {
  const name = languageName(id, language)
  return name === id ? id : name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
