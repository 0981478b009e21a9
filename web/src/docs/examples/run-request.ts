import { isAbort, readResponse, toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'

/** The result of a request, reduced to what the page shows. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly milliseconds: number
      readonly mediaType: string
      /** The start of the body, or all of it if `end` is `whole`. */
      readonly text: string
      /**
       * `cut`: the rest was not read, because the body is too long to show. `broken`: the
       * connection broke.
       */
      readonly end: 'whole' | 'cut' | 'broken'
      readonly headers: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly milliseconds: number }

type GetRequest = { readonly path: string; readonly accept?: string | undefined }

const most = 60_000

/** Sends a GET request and reads the start of the response. */
export async function runRequest(asked: GetRequest, signal: AbortSignal): Promise<Outcome> {
  const began = performance.now()
  const spent = () => Math.round(performance.now() - began)
  const { path, accept = '*/*' } = asked
  try {
    const response = await readResponse(path, {}, { signal, accept, cache: 'no-store' })
    const milliseconds = spent()
    const { text, end } = await readBeginning(response)
    const mediaType = response.headers.get('content-type') ?? ''
    const headers = [...response.headers].filter(([name]) => isTelling(name))
    const shown = end === 'whole' ? pretty(text, mediaType) : text
    const answer = { status: response.status, milliseconds, mediaType, text: shown, end, headers }
    return { kind: 'answer', ...answer }
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown
    return { kind: 'failure', failure: toFailure(thrown), milliseconds: spent() }
  }
}

/** Reports whether a header concerns the data rather than the connection. */
function isTelling(name: string): boolean {
  return !/^(access-control|cross-origin|connection|date|keep-alive|origin-agent|referrer|strict-|x-content-type|x-dns|x-download|x-frame|x-permitted|x-xss|content-security)/.test(
    name,
  )
}

async function readBeginning(response: Response) {
  // Not a `TextDecoderStream`: it would lose the last chunks before the connection broke.
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const step = await reader?.read().catch(breakOff)
    if (step === 'broken') return { text, end: step } as const
    if (step === undefined || step.done) return { text, end: 'whole' } as const
    text += decoder.decode(step.value, { stream: true })
    if (text.length > most) {
      await reader?.cancel()
      return { text: text.slice(0, most), end: 'cut' } as const
    }
  }
}

/**
 * Turns a broken connection into a result, because the part that arrived is still worth showing.
 */
function breakOff(thrown: unknown): 'broken' {
  if (isAbort(thrown)) throw thrown
  return 'broken'
}

function pretty(text: string, mediaType: string): string {
  if (!/[/+]json/.test(mediaType)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
