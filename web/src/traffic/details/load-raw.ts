import { readJson, readResponse } from '../../api/index.ts'
import { slugOf } from '../events/filter.ts'
import type { TrafficEvent } from '../events/event.ts'
import { feedAccept, feedPath } from '../following/read-feed.ts'

export const rawForms = ['geojson', 'xml'] as const

export type RawForm = (typeof rawForms)[number]

type Features = { readonly features: readonly { readonly id: string }[] }

/**
 * Loads an event as in the feed, formatted for reading. If it has left the feed, XML returns
 * undefined, and GeoJSON is read from its record instead.
 */
export async function loadRaw(
  event: TrafficEvent,
  form: RawForm,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = feedPath(slugOf(event))
  if (form === 'xml') {
    const answer = await readResponse(path, {}, { signal, accept: 'application/xml' })
    return findSituation(await answer.text(), event.id)
  }
  const answer: { readonly json: () => Promise<Features> } = await readResponse(
    path,
    {},
    {
      signal,
      accept: feedAccept,
    },
  )
  const { features } = await answer.json()
  const found = features.find(({ id }) => id === event.id) ?? (await readOf(event, signal))
  return JSON.stringify(found, undefined, 2)
}

/** Reads the record of an event, which outlives the feed. */
function readOf({ id }: TrafficEvent, signal: AbortSignal): Promise<unknown> {
  const query = { format: 'geojson' }
  return readJson(`/v1/Announcement/${encodeURIComponent(id)}`, query, signal)
}

/** Returns a situation of a publication, with each element on its own line. */
function findSituation(document: string, id: string): string | undefined {
  const tree = new DOMParser().parseFromString(document, 'application/xml')
  const situations = [...tree.getElementsByTagNameNS('*', 'situation')]
  const found = situations.find((one) => one.getAttribute('id') === id)
  return found === undefined ? undefined : print(found, '')
}

function print(element: Element, indent: string): string {
  const attributes = [...element.attributes]
    .filter(({ name }) => !name.startsWith('xmlns'))
    .map(
      ({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
    )
  const name = element.tagName
  const open = `${indent}<${name}${attributes.join('')}>`
  const text = escape(element.textContent)
  if (element.childElementCount === 0) return `${open}${text}</${name}>`
  const inner = [...element.children].map((child) => print(child, `${indent}  `))
  return [open, ...inner, `${indent}</${name}>`].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
