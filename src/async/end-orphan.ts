/**
 * A thread that ends its process when the hub is gone, also while long work keeps the main thread busy. A process
 * that notices a closed channel by itself is given time to end in order: the milliseconds in the thread's data.
 */
import { workerData } from 'node:worker_threads'

const interval = 500
const hub = process.ppid
const given: unknown = workerData
const grace = typeof given === 'number' ? given : 0

/** On POSIX an orphan gets another parent; elsewhere the old number stays and leads nowhere. */
function isOrphan(): boolean {
  if (process.ppid !== hub) return true
  try {
    return !process.kill(hub, 0)
  } catch {
    return true
  }
}

const watch = setInterval(() => {
  if (!isOrphan()) return
  clearInterval(watch)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), grace)
}, interval)
