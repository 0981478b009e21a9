/** A parsed JSON value that keeps its source text. */
export type JsonNode =
  | { readonly kind: 'text' | 'number' | 'word'; readonly raw: string }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }

export type JsonMember = { readonly name: string; readonly value: JsonNode }

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([-\d][-+.\deE]*)|(true|false|null))/y

/**
 * Parses JSON while keeping the spelling of numbers and texts: `1.0` stays `1.0`, and large
 * integers keep all digits. The text must be valid JSON, as it is when the hub has sent it.
 * @throws SyntaxError at a character that starts no JSON token
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
  // A text value may be a quoted bracket, so the kind of the token must be checked, too.
  while (!(tokens.peek().kind === 'mark' && tokens.peek().raw === ']')) {
    items.push(readValue(tokens))
    if (tokens.peek().kind === 'mark' && tokens.peek().raw === ',') tokens.take()
  }
  tokens.take()
  return { kind: 'array', items }
}
