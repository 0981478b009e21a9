import { MediaQuery } from 'svelte/reactivity'

const query = new MediaQuery('(prefers-color-scheme: dark)')

/** Whether the system wants dark pages: what is painted on a canvas has to be painted anew. */
export const darkness = {
  get isDark(): boolean {
    return query.current
  },
}
