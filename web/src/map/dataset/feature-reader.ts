/** Takes a GeoJSON collection as its text comes in, and gives the features that are complete. */
export type FeatureReader = {
  readonly push: (text: string) => readonly unknown[]
}

const codeOf = (sign: string) => sign.charCodeAt(0)
const [quote, backslash, opens, closes] = ['"', '\\', '{', '}'].map(codeOf)

/** So a large answer is shown as it arrives, and no part of it takes long to read. */
export function createFeatureReader(): FeatureReader {
  let head = ''
  let isInside = false
  let kept = ''
  const scan = createScanner()

  const enter = (text: string): string => {
    head += text
    const begin = /"features"\s*:\s*\[/.exec(head)
    if (begin === null) return ''
    isInside = true
    return head.slice(begin.index + begin[0].length)
  }
  return {
    push: (text) => {
      const rest = isInside ? text : enter(text)
      const offset = kept.length
      kept += rest
      const features: unknown[] = []
      let done = 0
      for (const [from, to] of scan(kept, offset)) {
        features.push(JSON.parse(kept.slice(from, to)))
        done = to
      }
      kept = scan.forget(kept, done)
      return features
    },
  }
}

/** Finds where objects begin and end; braces in texts do not count (RFC 8259, section 7). */
function createScanner() {
  let depth = 0
  let start = 0
  let isText = false
  let isEscaped = false

  const step = (code: number, at: number): number | undefined => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (code === backslash) isEscaped = true
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === opens) {
      if (depth === 0) start = at
      depth += 1
    } else if (code === closes) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    return undefined
  }
  function* scan(text: string, offset: number): Generator<readonly [number, number]> {
    for (let at = offset; at < text.length; at += 1) {
      const end = step(text.charCodeAt(at), at)
      if (end !== undefined) yield [start, end]
    }
  }
  return Object.assign(scan, {
    /** Cuts off what is read. */
    forget: (text: string, done: number): string => {
      const from = depth > 0 ? start : Math.max(done, text.length)
      start = 0
      return text.slice(from)
    },
  })
}
