/**
 * A thread that ends its process when the hub is gone, even while long work keeps the main thread
 * busy. The process gets time to shut down in order, if it notices the closed channel itself: the
 * milliseconds in the worker data.
 */
import { workerData } from 'node:worker_threads'

const interval = 500
const hub = process.ppid
const given: unknown = workerData
const grace = typeof given === 'number' ? given : 0

/**
 * Reports whether the parent is gone. On POSIX an orphan gets another parent; elsewhere the
 * parent's number stays but no longer belongs to a process.
 */
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
