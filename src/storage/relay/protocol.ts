import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../errors/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { Limits } from '../database.ts'

/** One end of a way between a thread or process that has the database and one that uses it. */
export type Port<In, Out> = {
  readonly on: (listener: (message: In) => void) => void
  readonly onClose: (listener: () => void) => void
  readonly postMessage: (message: Out) => void
}

/** The end of a channel between threads. */
export function portOf<In, Out>(port: MessagePort): Port<In, Out> {
  return {
    on: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
    postMessage: (message) => {
      port.postMessage(message)
    },
  }
}

/** What a thread asks of the thread that has the database. `tx` names one of its transactions. */
export type Request =
  | {
      readonly kind: 'query' | 'texts' | 'execute'
      readonly id: number
      readonly tx: number | undefined
      readonly parts: readonly string[]
      readonly values: readonly unknown[]
    }
  | { readonly kind: 'begin'; readonly id: number; readonly limits: Limits | undefined }
  | { readonly kind: 'commit' | 'rollback'; readonly id: number; readonly tx: number }
  | { readonly kind: 'ping'; readonly id: number }

export type Reply =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }

/** An error as it passes between threads, where classes are lost. */
type SentError =
  | {
      readonly kind: 'known'
      readonly code: ErrorCode
      readonly message: string
      readonly hint: string | undefined
      readonly headers: Readonly<Record<string, string>>
      readonly cause: string
    }
  /** `code` is the SQLSTATE, if it is an error of the database. */
  | { readonly kind: 'other'; readonly message: string; readonly code: string | undefined }

export function toSent(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, message, hint, headers, cause } = error
    return { kind: 'known', code, message, hint, headers, cause: String(cause) }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return { kind: 'other', message: String(error), code }
}

export function fromSent(error: SentError): Error {
  if (error.kind === 'other') return Object.assign(new Error(error.message), { code: error.code })
  const { code, message, hint, headers, cause } = error
  return new AppError(code, message, { headers, cause, ...(hint === undefined ? {} : { hint }) })
}
