// Work that waits for other work.
export { createLimit, deadline } from './limit.ts'
export type { Limit } from './limit.ts'
export { shareNext, shareRunning } from './share-running.ts'
export { inBatches, inSlices, yieldToEventLoop } from './yield-to-event-loop.ts'
