/** Thread that makes the messages of a region. It is started by `make-messages.ts`. */
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { Parse } from 'typebox/value'
import type { CanonicalObject } from './canonical.ts'
import { messagesOf, regionTask } from './make-messages.ts'
import type { RegionTask } from './make-messages.ts'
import { planRegion } from './region.ts'

const { part, plan }: RegionTask = Parse(regionTask, workerData)
const region = planRegion(plan)

if (parentPort !== null) {
  // Each incoming message requests one message of the region.
  const wishes = on(parentPort, 'message')
  const total = totalOf()
  for (const { body, items } of messagesOf(
    part === 'present' ? present() : region.measurements(),
  )) {
    await wishes.next()
    parentPort.postMessage({ body, items, total }, [body.buffer])
  }
  parentPort.close()
}

function* present(): Generator<CanonicalObject> {
  yield* region.content()
  yield* region.availability()
  yield* region.dataTypes()
  yield* region.stations()
  yield* region.edges()
  yield* region.events()
}

function totalOf(): number {
  const { size } = region
  if (part === 'history') return size.measurements
  const content = size.content + size.availability
  return content + size.dataTypes + size.stations + size.edges + size.events
}
