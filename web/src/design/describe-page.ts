const arrival = location.pathname
let isArrival = true

/** What the hub alone says of the view that the page is loaded at, with its title, address and description. */
const ofArrival = 'meta[property^="og:"], link[rel="alternate"], script[type="application/ld+json"]'

type Described = {
  readonly url: URL
  /** What addresses for others begin with. */
  readonly publicUrl: string
  readonly description: string | undefined
}

/**
 * Says in the head of the document what a view is about. The hub has said it of the view that the page was
 * loaded at, and what it said is of no other.
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
