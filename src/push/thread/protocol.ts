import type { ErrorCode } from '../../errors/index.ts'
import type { Settled } from '../queue/process-messages.ts'
import type { Stored } from '../pipeline.ts'

/** A body to be tried out: nothing of it stays. */
export type Trial = {
  readonly stream: string
  readonly received: Date
  /** The client that would send it. */
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | null
  readonly body: Uint8Array
}

export type ToThread =
  | { readonly kind: 'wake' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'try'; readonly id: number; readonly trial: Trial }

export type FromThread =
  | { readonly kind: 'settled'; readonly settled: Omit<Settled, 'error'> }
  | { readonly kind: 'tried'; readonly id: number; readonly outcome: Stored }
  | { readonly kind: 'not tried'; readonly id: number; readonly code: ErrorCode }
