import { performance } from 'node:perf_hooks'

/** Milliseconds by which a timer is late when the thread had something else to do. */
const busy = 100

export type Watch = {
  /** There was a sign of life: the next one is expected within the patience. */
  readonly sign: () => void
  readonly end: () => void
}

/**
 * Watches for signs of life, from the first one on. A thread that was busy itself has not read what came
 * meanwhile: it reads that first, and after a long pause waits once more.
 * @param patience milliseconds between two signs
 */
export function watchLife(patience: number, onSilence: () => void): Watch {
  let timer: NodeJS.Timeout | undefined
  let check: NodeJS.Immediate | undefined
  const end = () => {
    clearTimeout(timer)
    clearImmediate(check)
  }
  const sign = () => {
    end()
    const due = performance.now() + patience
    timer = setTimeout(() => {
      const wasBusy = performance.now() - due > busy
      // What has come is read before this is called; a sign among it calls it off.
      check = setImmediate(wasBusy ? sign : onSilence)
    }, patience)
  }
  return { sign, end }
}
