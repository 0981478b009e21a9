import { fieldsOf, isObject, objectsOf, textOf } from '../lang/json.ts'
import { escapeMarkup } from '../lang/markup.ts'

/**
 * A document as a page: its title, its links, and what else it says as a table. The same for all documents, small,
 * and without scripts; maps and lists to search in are in the Explorer.
 * @param document as its JSON says it
 */
export function toPage(
  document: object,
  { title, root }: { readonly title: string; readonly root: string },
): string {
  const { links, ...rest } = fieldsOf(document)
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined)
  const rows = entries.map(
    ([name, value]) => `<tr><th scope="row">${escapeMarkup(name)}<td>${toHtml(value)}`,
  )
  const list = objectsOf(links).map(toLink).join('')
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeMarkup(title)}</title>`,
    '<meta name="viewport" content="width=device-width">',
    `<body><p><a href="${escapeMarkup(root)}/">OGC API Features</a></p><h1>${escapeMarkup(title)}</h1>`,
    `<table>${rows.join('')}</table><h2>Links</h2><ul>${list}</ul>`,
  ].join('\n')
}

function toLink(link: Readonly<Record<string, unknown>>): string {
  const { href, rel, title, type } = link
  const words = [title, rel, type].filter((word) => typeof word === 'string').join(', ')
  return `<li><a href="${escapeMarkup(String(href))}">${escapeMarkup(words)}</a>`
}

/** Levels that are shown as tables; what lies deeper is text. */
const deepest = 4

function toHtml(value: unknown, depth = 0): string {
  if (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)) {
    return `<a href="${escapeMarkup(value)}">${escapeMarkup(value)}</a>`
  }
  if (value === null || typeof value !== 'object') return escapeMarkup(String(value))
  if (depth >= deepest) return `<code>${escapeMarkup(JSON.stringify(value))}</code>`
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (items.every((item) => typeof item === 'number')) return escapeMarkup(items.join(', '))
    return `<ul>${items.map((item) => `<li>${toItem(item, depth)}`).join('')}</ul>`
  }
  const rows = Object.entries(fieldsOf(value)).map(
    ([name, inner]) => `<tr><th scope="row">${escapeMarkup(name)}<td>${toHtml(inner, depth + 1)}`,
  )
  return `<table>${rows.join('')}</table>`
}

/** What has an address of its own is a link to it. */
function toItem(item: unknown, depth: number): string {
  const { links, id, title, ...rest } = fieldsOf(item)
  const self = objectsOf(links).find(({ rel }) => rel === 'self')
  if (!isObject(item) || self === undefined) return toHtml(item, depth + 1)
  const name = typeof title === 'string' ? title : String(id)
  const more =
    'properties' in rest
      ? toHtml(rest['properties'], depth + 1)
      : escapeMarkup(textOf(rest['description']) ?? '')
  return `<a href="${escapeMarkup(String(self['href']))}?f=html">${escapeMarkup(name)}</a> ${more}`
}
