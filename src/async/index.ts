// Work that waits for other work.
export { shareRunning } from './share-running.ts'
