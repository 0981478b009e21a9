import { AppError } from '../../errors/index.ts'
import type { Database, Log } from '../../storage/index.ts'
import type { Mappings, Pipeline } from '../pipeline.ts'
import { PushWorker } from '../queue/worker.ts'
import { tryOut } from '../try-out.ts'
import type { FromThread, ToThread, Trial } from './protocol.ts'

type Deps = {
  /** To the thread that answers requests. */
  readonly port: {
    readonly postMessage: (message: FromThread) => void
    readonly on: (event: 'message', listener: (message: ToThread) => void) => unknown
  }
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
  readonly now: () => Date
  readonly patience: number
  readonly log: Pick<Log, 'info' | 'error'>
  readonly atOnce: number
}

/**
 * Works on pushed messages in the thread that calls this, so that taking bodies apart never keeps the
 * thread that answers requests from answering.
 * @returns resolves when it was told to stop and has
 */
export async function runThread(deps: Deps): Promise<void> {
  const { port } = deps
  const stopped = Promise.withResolvers<undefined>()
  const onSettled = ({ error: _inTheLog, ...settled }: FromSettled) => {
    port.postMessage({ kind: 'settled', settled })
  }
  const worker = new PushWorker({ ...deps, onSettled })
  port.on('message', (message) => {
    if (message.kind === 'wake') worker.wake()
    else if (message.kind === 'stop') stopped.resolve(undefined)
    else void answer(deps, message.id, message.trial)
  })
  worker.start()
  await stopped.promise
  await worker.stop()
  await deps.mappings?.close()
}

type FromSettled = Parameters<
  NonNullable<ConstructorParameters<typeof PushWorker>[0]['onSettled']>
>[0]

async function answer({ port, log, ...deps }: Deps, id: number, trial: Trial): Promise<void> {
  try {
    port.postMessage({ kind: 'tried', id, outcome: await tryOut(deps, trial) })
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error }, 'A body could not be tried out.')
    const code = error instanceof AppError ? error.code : 'HUB-SRV-001'
    port.postMessage({ kind: 'not tried', id, code })
  }
}
