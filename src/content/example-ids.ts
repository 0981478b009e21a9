import type { Entity } from './entity.ts'

/** What the examples of writes make, and those of reads show: in this order they can all be run. */
export const exampleIds = ['example-1', 'example-2'] as const

/** The event that `hub demo --empty` shows. */
const exampleEvent = 'example-roadworks'

/** The record that reads of an entity show as their example. */
export function exampleIdOf({ area }: Entity): string {
  return area === 'event' ? exampleEvent : exampleIds[0]
}
