import { mount } from 'svelte'
import './design/tokens.css'
import './design/base.css'
import { startAddress } from './address/index.ts'
import { applyTheme } from './design/theme.svelte.ts'
import { startSession } from './login/index.ts'
import { beginView } from './shell/begin-view.ts'
import Shell from './shell/Shell.svelte'

applyTheme()
startSession()
startAddress()
beginView()

const target = document.getElementById('page')
if (target === null) throw new Error('index.html has no place for the page')
mount(Shell, { target })
