import { pathOf } from '../../address/index.ts'
import { readJson, readResponse, writeJson } from '../../api/index.ts'
import type { GetRequest } from '../../api/index.ts'

/** Of a message, in the order in which it may go through them. */
export const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const
export type State = (typeof states)[number]

/** A stream of the overview (`GET /push`). */
export type Stream = {
  /** `provider/dataset` */
  readonly stream: string
  readonly mapping: { readonly name: string; readonly version: string } | null
  readonly lastArrival: string | null
  readonly unread: number
  readonly messages: Partial<Record<State, number>>
  readonly bytes: number
  readonly arrivals: Readonly<Record<string, number>>
}

export type Overview = { readonly since: string; readonly streams: readonly Stream[] }

/** A message of a list (`GET /push/{provider}/{dataset}`). */
export type Message = {
  readonly id: string
  readonly state: State
  readonly reason: string | null
  readonly received: string
  readonly secondsUntilVisible: number | null
  readonly stored: number
  readonly rejected: number
  readonly bytes: number
  readonly contentType: string | null
  readonly isOwn: boolean
}

type Item = {
  readonly index: number | null
  readonly reason: string
  readonly pointer?: string
  readonly line?: number
}

/** What the view shows of a receipt, beside what the list says. */
export type Receipt = {
  readonly attempts: number
  readonly mapping: Stream['mapping']
  readonly rejected: readonly Item[]
  readonly warnings: readonly Item[]
}

export const overviewRequest = { path: '/push' } as const

/** The view of a stream. */
export function viewOf(stream: string): string {
  const [provider = '', dataset = ''] = stream.split('/')
  return pathOf('/desk/streams/:provider/:dataset', { provider, dataset })
}

/** `provider/dataset` of `/push/{provider}/{dataset}`. */
export function streamOf(path: string): string {
  return path.slice('/push/'.length)
}

/** Where a mapping of a stream is written, and tried on one of its messages. */
export function playgroundOf(stream: string, message?: string): string {
  const query = message === undefined ? '' : `?message=${message}`
  return `${viewOf(stream)}/playground${query}`
}

type Page = Pick<Response, 'headers'> & {
  readonly json: () => Promise<{ readonly messages: readonly Message[] }>
}

/** A page of messages, and the cursor of the one behind it. */
export type MessagePage = {
  readonly messages: readonly Message[]
  readonly next: string | undefined
}

export async function loadMessages(
  { path, query = {} }: GetRequest,
  signal: AbortSignal,
): Promise<MessagePage> {
  const answer: Page = await readResponse(path, query, { signal })
  const { messages } = await answer.json()
  const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  return {
    messages,
    next: next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined),
  }
}

export function loadReceipt(path: string, id: string, signal: AbortSignal): Promise<Receipt> {
  return readJson<Receipt>(`${path}/${id}`, {}, signal)
}

/** Which messages of a stream are meant. */
export type Selection = {
  readonly ids?: readonly string[]
  readonly state?: State
  readonly from?: string
}

/** What a replay of a message would change (`GET …/{id}/preview`). */
export type Preview = {
  readonly reason: string | null
  readonly stored: number
  readonly rejected: readonly Item[]
  readonly records: readonly {
    readonly dataset: string
    readonly id: string
    readonly kind: 'create' | 'update' | 'delete'
    readonly differences: readonly {
      readonly pointer: string
      readonly before?: unknown
      readonly after?: unknown
    }[]
  }[]
  readonly count: number
}

export function loadPreview(path: string, id: string, signal: AbortSignal): Promise<Preview> {
  return readJson<Preview>(`${path}/${id}/preview`, {}, signal)
}

/** Has messages processed again. @throws RequestFailure */
export function replay(path: string, selection: Selection) {
  return writeJson<{ readonly replayed: number; readonly left: number }>({
    ...{ method: 'POST', path: `${path}/replay`, body: selection },
  })
}

/** Deletes dead messages. @throws RequestFailure */
export function discard(path: string, selection: Selection) {
  return writeJson<{ readonly discarded: number }>({
    ...{ method: 'POST', path: `${path}/discard`, body: selection },
  })
}

/** The body of a message as it was received. @throws RequestFailure */
export async function loadOriginal(path: string, id: string): Promise<Blob> {
  const response = await readResponse(`${path}/${id}/original`, {}, { accept: '*/*' })
  return response.blob()
}

const day = 86_400_000

/** Messages of each day (UTC) since the counts start. */
export function arrivalsByDay({ arrivals }: Stream, since: string): readonly number[] {
  const start = Date.parse(since)
  const days = Math.round((Date.now() - start) / day) + 1
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(start + index * day).toISOString().slice(0, 10)
    return arrivals[date] ?? 0
  })
}
