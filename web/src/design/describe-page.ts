const arrival = location.pathname
let isArrival = true

/**
 * Elements that only the hub writes, for the view that was loaded first. Title, canonical URL and
 * description are not among them, because the page updates those itself.
 */
const ofArrival = 'meta[property^="og:"], link[rel="alternate"], script[type="application/ld+json"]'

type Described = {
  readonly url: URL
  /** Base of absolute URLs. */
  readonly publicUrl: string
  readonly description: string | undefined
}

/**
 * Updates the metadata in the document's head for the current view. The hub has written those of
 * the first view, and they must be removed for any other.
 */
export function describePage({ url, publicUrl, description }: Described): void {
  isArrival &&= url.pathname === arrival
  if (isArrival) return
  for (const element of document.head.querySelectorAll(ofArrival)) element.remove()
  const language = url.searchParams.get('lang')
  const query = language === null ? '' : `?lang=${encodeURIComponent(language)}`
  const link = elementOf('link', 'rel', 'canonical')
  link.setAttribute('href', `${publicUrl}${url.pathname}${query}`)
  const meta = elementOf('meta', 'name', 'description')
  if (description === undefined) meta.remove()
  else meta.setAttribute('content', description)
}

function elementOf(name: string, key: string, value: string): Element {
  const found = document.head.querySelector(`${name}[${key}="${value}"]`)
  if (found !== null) return found
  const made = document.createElement(name)
  made.setAttribute(key, value)
  document.head.append(made)
  return made
}
