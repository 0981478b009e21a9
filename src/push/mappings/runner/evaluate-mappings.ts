/**
 * The process that evaluates mappings, started by `mapping-process.ts`. An expression can use up
 * all memory, and then V8 ends the process, even from a worker thread. So this is a process of its
 * own, with nothing in it but the mappings.
 */
import { extname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { yieldToEventLoop } from '../../../async/index.ts'
import type { LoadedMapping } from '../definition/definition.ts'
import { compileMapping } from '../evaluate/compile-mapping.ts'
import type { CompiledMapping } from '../evaluate/compile-mapping.ts'
import { WholeFault } from '../faults.ts'
import { evaluateMessage } from '../evaluate/evaluate-message.ts'
import type { FromProcess, ToProcess } from './mapping-process.ts'

type Mapping = Extract<ToProcess, { readonly kind: 'map' }>

const loaded = new Map<string, LoadedMapping>()
const compiled = new Map<string, CompiledMapping>()
let maxBytes = 0

const clock = () => performance.now()

process.on('message', (message: unknown) => {
  if (!isRequest(message)) throw new Error('Not understood')
  if (message.kind === 'map') void answer(message)
  else {
    maxBytes = message.maxBytes
    for (const mapping of message.mappings) {
      loaded.set(mapping.name, mapping)
      compiled.delete(mapping.name)
    }
    void send({ kind: 'ready' })
  }
})

// The hub ends this process, or is gone. A long evaluation would not notice, so a thread watches,
// too.
process.once('disconnect', () => process.exit())
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
new Worker(
  new URL(`../../../async/end-orphan${extname(import.meta.filename)}`, import.meta.url),
).unref()

async function answer({ id, mapping, work }: Mapping): Promise<void> {
  try {
    for await (const slice of evaluateMessage(compile(mapping), work, { maxBytes, clock })) {
      await send({ kind: 'slice', id, slice })
    }
    await send({ kind: 'done', id })
  } catch (error) {
    if (error instanceof WholeFault) await send({ kind: 'refused', id, rejected: error.rejected })
    else {
      const reason = error instanceof Error ? String(error.stack) : String(error)
      await send({ kind: 'failed', id, reason })
    }
  }
}

function compile(name: string): CompiledMapping {
  const before = compiled.get(name)
  if (before !== undefined) return before
  const mapping = loaded.get(name)
  if (mapping === undefined) throw new Error(`There is no mapping ${name}`)
  const made = compileMapping(mapping)
  compiled.set(name, made)
  return made
}

/**
 * Sends a message. Resolves once it is on its way, because evaluating gives the channel no other
 * chance to write it.
 */
async function send(message: FromProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  process.send?.(message, undefined, undefined, resolve)
  await promise
  await yieldToEventLoop()
}

/**
 * Reports whether a message is a request. A shallow check is enough: the channel is private to the
 * hub and this process.
 */
function isRequest(message: unknown): message is ToProcess {
  return typeof message === 'object' && message !== null && 'kind' in message
}
