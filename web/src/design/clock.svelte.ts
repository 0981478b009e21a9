import { createSubscriber } from 'svelte/reactivity'

const halfMinute = 30_000

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, halfMinute)
  return () => {
    clearInterval(timer)
  }
})

/** The current time, for relative times. Readers are notified every 30 seconds. */
export const clock = {
  get now(): Date {
    subscribe()
    return new Date()
  },
}
