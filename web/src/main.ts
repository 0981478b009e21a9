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
// What draws the page is many times as large as what has its data on the way by now. It imports modules of
// this file's chunk, and so must not be awaited here.
void import('./shell/Shell.svelte').then(({ default: Shell }) => {
  const target = document.getElementById('page')
  if (target !== null) mount(Shell, { target })
})
