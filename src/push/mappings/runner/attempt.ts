import type { Work } from '../evaluate/evaluate-message.ts'
import type { Ending, MappingProcess } from './mapping-process.ts'
import { note, takeSlice } from './progress.ts'
import type { Progress } from './progress.ts'
import type { FromProcess } from './protocol.ts'
import { watchLife } from './watch-life.ts'

type Task = {
  readonly mapping: string
  readonly work: Work
  /** Milliseconds that are left for the whole message. */
  readonly left: number
  /** Milliseconds between two signs of life, once the items are known. */
  readonly patience: number
}

let lastId = 0

/**
 * Has a process that is ready evaluate what is left of a message.
 * @returns `done`, or how the process ended; then it is gone
 * @throws Error when it fails by a fault of the hub
 */
export async function attempt(
  running: MappingProcess,
  { mapping, work, left, patience }: Task,
  progress: Progress,
): Promise<'done' | Ending> {
  const id = ++lastId
  const end = Promise.withResolvers<'done' | Ending>()
  const watch = watchLife(patience, () => {
    running.kill('silence')
  })
  let isFull = false
  running.listen({
    onMessage: (message) => {
      if (message.kind === 'ready' || message.id !== id || isFull) return
      if (message.kind === 'slice') watch.sign()
      const outcome = take(message, progress)
      if (outcome === 'full') {
        isFull = true
        running.kill('size')
      } else if (outcome === 'done') end.resolve('done')
      else if (outcome !== undefined) {
        end.reject(outcome)
        running.kill('crash')
      }
    },
    onEnd: end.resolve,
  })
  const late = setTimeout(() => {
    setImmediate(() => {
      running.kill('late')
    })
  }, left)
  running.send({ kind: 'map', id, mapping, work })
  try {
    return await end.promise
  } finally {
    clearTimeout(late)
    watch.end()
  }
}

/** @returns whether that was all, or too much, or why it cannot go on; undefined when there is more to come */
function take(
  message: Exclude<FromProcess, { readonly kind: 'ready' }>,
  progress: Progress,
): 'done' | 'full' | Error | undefined {
  switch (message.kind) {
    case 'done':
      return 'done'
    case 'failed':
      return new Error(message.reason)
    case 'refused':
      note(message.rejected, progress)
      return 'done'
    case 'slice':
      return tryTo(() => (takeSlice(message.slice, progress) ? undefined : 'full'))
  }
}

/** An error of a listener would end the thread. */
function tryTo<Result>(act: () => Result): Result | Error {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
