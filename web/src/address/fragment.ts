/** The id that a hash such as `#a%20b` names; what cannot be decoded is taken as it is written. */
export function fragmentOf(hash: string): string {
  const written = hash.replace(/^#/, '')
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
