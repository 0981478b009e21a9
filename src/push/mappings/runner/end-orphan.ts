/** A thread that ends its process when the hub is gone, also while an evaluation keeps the main thread busy. */
const interval = 500
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

setInterval(() => {
  if (isOrphan()) process.kill(process.pid, 'SIGKILL')
}, interval)
