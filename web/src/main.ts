import { mount } from 'svelte'
import './design/tokens.css'
import './design/base.css'
import './design/layout.css'
import './design/primitives.css'
import { startAddress } from './address/index.ts'
import { applyTheme } from './design/theme.svelte.ts'
import { startSession } from './login/index.ts'
import { beginView, prefetchViews } from './shell/views.ts'

applyTheme()
startSession()
startAddress()
beginView()
prefetchViews()
// The data requests above are already running while this much larger module loads. It imports
// modules of this file's chunk, and so must not be awaited here.
void import('./shell/Shell.svelte').then(({ default: Shell }) => {
  const target = document.getElementById('page')
  if (target !== null) mount(Shell, { target })
})
