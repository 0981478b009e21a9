/**
 * A thread of the database process that ends the process when the hub is gone. The process itself
 * notices a closed channel too, and then shuts down in order, but not while a long statement keeps
 * its only thread busy. Killing it is safe: what was committed is in the write-ahead log.
 */
const interval = 500
const grace = 3_000
const hub = process.ppid

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
