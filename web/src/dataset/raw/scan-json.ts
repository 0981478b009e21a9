/** A value of a JSON text, with its letters as they stand there. */
export type JsonNode =
  | { readonly kind: 'text' | 'number' | 'word'; readonly raw: string }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }

export type JsonMember = { readonly name: string; readonly value: JsonNode }

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([-\d][-+.\deE]*)|(true|false|null))/y

/**
 * Reads JSON without changing what numbers and texts look like: `1.0` stays `1.0`, and large integers
 * keep all of their digits. The text is one that the hub has sent, so it is JSON.
 */
export function scanJson(text: string): JsonNode {
  return readValue(tokensOf(text))
}

type Token = { readonly kind: 'mark' | 'text' | 'number' | 'word'; readonly raw: string }

type Tokens = { readonly peek: () => Token; readonly take: () => Token }

function tokensOf(text: string): Tokens {
  let next: Token | undefined
  token.lastIndex = 0
  let at = 0
  const peek = () => {
    next ??= read()
    return next
  }
  const read = (): Token => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) throw new SyntaxError(`No JSON at position ${at}`)
    at = token.lastIndex
    const [, mark, quoted, number, word] = found
    if (mark !== undefined) return { kind: 'mark', raw: mark }
    if (quoted !== undefined) return { kind: 'text', raw: quoted }
    if (number !== undefined) return { kind: 'number', raw: number }
    return { kind: 'word', raw: word ?? '' }
  }
  const take = () => {
    const taken = peek()
    next = undefined
    return taken
  }
  return { peek, take }
}

function readValue(tokens: Tokens): JsonNode {
  const { kind, raw } = tokens.take()
  if (kind !== 'mark') return { kind, raw }
  return raw === '{' ? readObject(tokens) : readArray(tokens)
}

function readObject(tokens: Tokens): JsonNode {
  const members: JsonMember[] = []
  while (tokens.peek().raw !== '}') {
    const name = tokens.take().raw
    tokens.take()
    members.push({ name, value: readValue(tokens) })
    if (tokens.peek().raw === ',') tokens.take()
  }
  tokens.take()
  return { kind: 'object', members }
}

function readArray(tokens: Tokens): JsonNode {
  const items: JsonNode[] = []
  // A text may be a bracket in quotes: only a mark ends the array.
  while (!(tokens.peek().kind === 'mark' && tokens.peek().raw === ']')) {
    items.push(readValue(tokens))
    if (tokens.peek().kind === 'mark' && tokens.peek().raw === ',') tokens.take()
  }
  tokens.take()
  return { kind: 'array', items }
}
