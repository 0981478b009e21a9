import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerRead, preferredType, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { fieldsOf, isObject, objectsOf, parseObject, textOf } from '../lang/json.ts'
import { inForm, types } from './documents.ts'
import type { Form, Shown, Site } from './documents.ts'
import { escapeMarkup } from '../lang/markup.ts'

/**
 * Returns the format of the response. The parameter `f` takes precedence over `Accept`. Any
 * preferred type other than HTML yields JSON.
 */
export function formOf({ query, headers }: FastifyRequest): Form {
  const [, f] = Object.entries(fieldsOf(query)).find(([name]) => name.toLowerCase() === 'f') ?? []
  if (typeof f === 'string' && f !== '') return f === 'html' ? 'html' : 'json'
  const offered = [types.json, types.geojson, types.html]
  return preferredType(headers.accept, offered) === types.html ? 'html' : 'json'
}

type Document = { readonly shown: Shown; readonly type: string; readonly document: object }

/** Sends a document that is the same for every caller, as JSON or as an HTML page. */
export function sendDocument(
  exchange: Exchange,
  { shown, type, document }: Document,
): Promise<FastifyReply> {
  const text = shown.form === 'json' ? JSON.stringify(document) : pageOf(document, shown)
  // Sent as bytes, because Fastify would add a parameter to the content type of a string, which
  // some clients do not expect.
  const body = Buffer.from(text)
  const answer = { body, type: typeOf(shown.form, type), etag: weakEtag([text]) }
  return answerRead(exchange, { run: () => answer })
}

export function typeOf(form: Form, json: string): string {
  return form === 'json' ? json : `${types.html}; charset=utf-8`
}

function pageOf(document: object, { root, title }: Site): string {
  const named: { readonly title?: unknown; readonly id?: unknown } = document
  const own = named.title ?? named.id
  return toPage(document, { title: typeof own === 'string' ? own : title, root })
}

/** Renders features as an HTML page, from their JSON text. Each feature links to its own page. */
export function featuresPage(
  text: string,
  { site, title, items }: { readonly site: Site; readonly title: string; readonly items: string },
): string {
  const { features, ...rest } = parseObject(text)
  const linked = objectsOf(features).map((feature) => ({
    ...feature,
    links: [{ rel: 'self', href: `${items}/${encodeURIComponent(String(feature['id']))}` }],
  }))
  const document = Array.isArray(features) ? { ...rest, features: linked } : rest
  return toPage(document, { title, root: site.root })
}

/**
 * Renders a document as an HTML page: its title, its links, and all other fields as a table. The
 * page is the same for all documents, small, and without scripts. Maps and searchable lists are in
 * the Explorer.
 * @param document its fields, as in JSON
 */
function toPage(
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

/** Maximum depth of nested tables. Deeper values are printed as JSON. */
const maxDepth = 4

function toHtml(value: unknown, depth = 0): string {
  if (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)) {
    return `<a href="${escapeMarkup(value)}">${escapeMarkup(value)}</a>`
  }
  if (value === null || typeof value !== 'object') return escapeMarkup(String(value))
  if (depth >= maxDepth) return `<code>${escapeMarkup(JSON.stringify(value))}</code>`
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

/** Renders an item of a list. An item with a URL of its own becomes a link. */
function toItem(item: unknown, depth: number): string {
  const { links, id, title, ...rest } = fieldsOf(item)
  const self = objectsOf(links).find(({ rel }) => rel === 'self')
  if (!isObject(item) || self === undefined) return toHtml(item, depth + 1)
  const name = typeof title === 'string' ? title : String(id)
  const more =
    'properties' in rest
      ? toHtml(rest['properties'], depth + 1)
      : escapeMarkup(textOf(rest['description']) ?? '')
  const href = inForm(String(self['href']), 'html')
  return `<a href="${escapeMarkup(href)}">${escapeMarkup(name)}</a> ${more}`
}
