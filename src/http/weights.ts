/** An item of a header such as `Accept`, in lower case, and how much the caller prefers it. */
export type Weighted = { readonly name: string; readonly weight: number }

/**
 * The items of a header with their weights, as `text/*;q=0.5` (RFC 9110, section 12.4.2). A weight that
 * is not a number from 0 to 1 counts as 0. Parameters other than `q` are ignored.
 */
export function parseWeights(header: string): readonly Weighted[] {
  return header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const weight = quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, ''))
    return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 }
  })
}
