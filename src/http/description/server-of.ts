type Server = {
  readonly url: string
  readonly description: string
  /** Whether only its operator may use it (OWASP API security, API9). */
  readonly 'x-internal': boolean
}

/** The hub that the document describes, at its public address. */
export function serverOf(publicUrl: string): Server {
  const { hostname } = new URL(publicUrl)
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  const description = isLocal ? 'This hub, for local use' : 'This hub, in production'
  return { url: publicUrl, description, 'x-internal': isLocal }
}
