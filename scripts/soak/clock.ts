import { readFileSync } from 'node:fs'

// `NODE_OPTIONS=--import …/clock.ts` shifts the clock of a hub by the number of milliseconds in the
// file `SOAK_CLOCK`. Timers are unaffected, as when the system clock is set.

const often = 100

let difference = 0
function readDifference(): void {
  difference = Number(readFileSync(process.env['SOAK_CLOCK'] ?? '', 'utf8'))
}

readDifference()
setInterval(readDifference, often).unref()

const real = Date.now
Date.now = () => real() + difference
globalThis.Date = new Proxy(Date, {
  construct: (target, given: readonly unknown[], asked) => {
    const made: unknown = Reflect.construct(
      target,
      given.length === 0 ? [target.now()] : given,
      asked,
    )
    if (made instanceof target) return made
    throw new Error('A Date was expected')
  },
})
