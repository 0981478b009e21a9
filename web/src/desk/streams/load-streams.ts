import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import type {
  Selection,
  discardOperation,
  previewOperation,
  replayOperation,
} from '../../../../src/push/replay-routes.ts'
import type { receiptOperation } from '../../../../src/push/schemas.ts'
import type { messagesOperation, overviewOperation } from '../../../../src/push/routes.ts'
import { pathOf } from '../../address/index.ts'
import { readJson, readResponse, writeJson } from '../../api/index.ts'
import type { GetRequest } from '../../api/index.ts'

/** States of a message, in the order in which it may go through them. */
export const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

type Overview = AnswerOf<typeof overviewOperation>

export type Stream = Overview['streams'][number]

export type Message = AnswerOf<typeof messagesOperation>['messages'][number]

export type Receipt = AnswerOf<typeof receiptOperation>

/** Changes that a replay of a message would make. */
export type Preview = AnswerOf<typeof previewOperation>

export type { Selection }

export const overviewRequest = { path: '/push' } as const

export function loadOverview(signal: AbortSignal): Promise<Overview> {
  return readJson<Overview>(overviewRequest.path, {}, signal)
}

/** Returns the path of a stream's view. */
export function viewOf(stream: string): string {
  const [provider = '', dataset = ''] = stream.split('/')
  return pathOf('/desk/streams/:provider/:dataset', { provider, dataset })
}

/** Returns `provider/dataset` from `/push/{provider}/{dataset}`. */
export function streamOf(path: string): string {
  return path.slice('/push/'.length)
}

/** Returns the URL of a stream's playground, optionally with one of its messages as the payload. */
export function playgroundOf(stream: string, message?: string): string {
  const query = message === undefined ? '' : `?message=${message}`
  return `${viewOf(stream)}/playground${query}`
}

type Page = Pick<Response, 'headers'> & {
  readonly json: () => Promise<AnswerOf<typeof messagesOperation>>
}

/** A page of messages, and the cursor of the next page. */
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

export function loadPreview(path: string, id: string, signal: AbortSignal): Promise<Preview> {
  return readJson<Preview>(`${path}/${id}/preview`, {}, signal)
}

/**
 * Processes messages again.
 * @throws RequestFailure
 */
export function replay(path: string, selection: Selection) {
  return writeJson<AnswerOf<typeof replayOperation>>({
    ...{ method: 'POST', path: `${path}/replay`, body: selection },
  })
}

/**
 * Deletes dead messages.
 * @throws RequestFailure
 */
export function discard(path: string, selection: Selection) {
  return writeJson<AnswerOf<typeof discardOperation>>({
    ...{ method: 'POST', path: `${path}/discard`, body: selection },
  })
}

/**
 * Loads the body of a message as it was received.
 * @throws RequestFailure
 */
export async function loadOriginal(path: string, id: string): Promise<Blob> {
  const response = await readResponse(`${path}/${id}/original`, {}, { accept: '*/*' })
  return response.blob()
}

const day = 86_400_000

/** Returns the number of messages on each day (UTC) since the start of the counts. */
export function arrivalsByDay({ arrivals }: Stream, since: string): readonly number[] {
  const start = Date.parse(since)
  const days = Math.round((Date.now() - start) / day) + 1
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(start + index * day).toISOString().slice(0, 10)
    return arrivals[date] ?? 0
  })
}
