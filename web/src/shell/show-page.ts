import { mount } from 'svelte'
import Shell from './Shell.svelte'

/** Puts the page into `index.html`, once. */
export function showPage(): void {
  const target = document.getElementById('page')
  if (target === null) throw new Error('index.html has no place for the page')
  mount(Shell, { target })
}
