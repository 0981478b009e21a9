import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerRead, preferredType, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { fieldsOf, isObject, objectsOf, parseObject, textOf } from '../lang/json.ts'
import { types } from './documents.ts'
import type { Form, Shown, Site } from './documents.ts'
import { escapeMarkup } from '../lang/markup.ts'

/** `f` wins over `Accept`; whatever else that names is answered with JSON. */
export function formOf({ query, headers }: FastifyRequest): Form {
  const [, f] = Object.entries(fieldsOf(query)).find(([name]) => name.toLowerCase() === 'f') ?? []
  if (typeof f === 'string' && f !== '') return f === 'html' ? 'html' : 'json'
  const offered = [types.json, types.geojson, types.html]
  return preferredType(headers.accept, offered) === types.html ? 'html' : 'json'
}

type Document = { readonly shown: Shown; readonly type: string; readonly document: object }

/** A document that everybody reads alike, as JSON or as a page. */
export function sendDocument(
  exchange: Exchange,
  { shown, type, document }: Document,
): Promise<FastifyReply> {
  const text = shown.form === 'json' ? JSON.stringify(document) : pageOf(document, shown)
  // As bytes: to the type of a text a parameter would be added, which some clients do not expect.
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

/** Features as a page, from their JSON text; each leads to its own. */
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
 * A document as a page: its title, its links, and what else it says as a table. The same for all documents, small,
 * and without scripts; maps and lists to search in are in the Explorer.
 * @param document as its JSON says it
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
