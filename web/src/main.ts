import './design/tokens.css'
import './design/base.css'
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
void import('./shell/show-page.ts').then(({ showPage }) => {
  showPage()
})
