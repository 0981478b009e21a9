import { createSubscriber } from 'svelte/reactivity'

const halfMinute = 30_000

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, halfMinute)
  return () => {
    clearInterval(timer)
  }
})

/** The present, for what says how long ago something was: whoever reads it hears of it twice a minute. */
export const clock = {
  get now(): Date {
    subscribe()
    return new Date()
  },
}
