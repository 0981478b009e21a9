import { membersOf, textOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { thingOf } from './parts.ts'
import { entryOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** A recipe where the article is one; the others have no type among those of interface 9.5. */
export function toRecipe(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  if (!isRecipe(record)) return undefined
  const elements = elementsOf(subject)
  const { geo: _nowhere, address: _either, ...thing } = thingOf(subject)
  return toNode('Recipe', {
    ...thing,
    recipeIngredient: ingredientsOf(elements),
    recipeInstructions: joined([elements['zubereitungstext'], elements['tipptext']], '\n'),
    recipeYield: textOf(elements['personen']),
    prepTime: durationOf(elements['vorbereitungszeit']),
    cookTime: durationOf(elements['zeit']),
    nutrition: toNode('NutritionInformation', { calories: textOf(elements['kalorien']) }),
    recipeCategory: textOf(elements['kategorie']),
    recipeCuisine: textOf(elements['artkueche']),
    keywords: textOf(elements['keywords']),
    aggregateRating: ratingOf(elements['bewertung']),
    author: toNode('Organization', { name: textOf(elements['author']) }),
    datePublished: textOf(record['LastChange']),
    dateModified: textOf(record['LastChange']),
    dateCreated: textOf(record['FirstImport']),
    inLanguage: languageOf(subject),
  })
}

/** The type of old, or one in the language of this hub. */
function isRecipe({ Type, SubType }: Members): boolean {
  return [Type, SubType].some((type) => /^(rezeptartikel|recipe)$/i.test(textOf(type) ?? ''))
}

/** The members of the article's form (`zutat1`, `personen` …), in lower case. */
function elementsOf(subject: Subject): Members {
  const entry = bestEntry(subject)
  const elements = Object.entries(membersOf(entry['Elements']))
  return Object.fromEntries(elements.map(([name, value]) => [name.toLowerCase(), value]))
}

function bestEntry({ record, languages }: Subject): Members {
  const entries = membersOf(record['AdditionalArticleInfos'])
  const found = languages.map((code) => membersOf(entries[code]))
  return found.find((entry) => Object.keys(membersOf(entry['Elements'])).length > 0) ?? {}
}

function ingredientsOf(elements: Members): readonly string[] {
  return Object.entries(elements)
    .flatMap(([name, value]) => {
      const number = /^zutat(\d+)$/.exec(name)?.[1]
      const text = textOf(value)
      return number === undefined || text === undefined ? [] : [{ number: Number(number), text }]
    })
    .sort((left, right) => left.number - right.number)
    .map(({ text }) => text)
}

function joined(parts: readonly unknown[], separator: string): string {
  return parts.flatMap((part) => textOf(part) ?? []).join(separator)
}

/** `1:30` as the duration PT1H30M (ISO 8601); what is no time is left out. */
function durationOf(written: unknown): string | undefined {
  const [, hours, minutes] = /^(\d{1,3}):(\d\d)$/.exec(textOf(written) ?? '') ?? []
  return hours === undefined ? undefined : `PT${String(Number(hours))}H${String(Number(minutes))}M`
}

/** `4-12`: the value, and how many gave one. */
function ratingOf(written: unknown): LinkedNode | undefined {
  const [, value, count] = /^([\d.]+)-(\d+)$/.exec(textOf(written) ?? '') ?? []
  if (value === undefined) return undefined
  return toNode('AggregateRating', {
    ratingValue: Number(value),
    ratingCount: Number(count),
    bestRating: 10,
  })
}

function languageOf(subject: Subject): string | undefined {
  return textOf(entryOf(subject, subject.record['Detail'])['Language'])
}
