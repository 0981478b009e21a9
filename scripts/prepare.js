// Runs at the end of `npm ci` and builds the Explorer, so that a fresh clone has its page. Plain
// JavaScript for any Node. Without Vite (`npm ci --omit=dev`) or without the sources (as in the
// layers of an image) nothing is built, and the hub reports that at `/`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const place = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const vite = place('node_modules/vite/bin/vite.js')
const node = place('node_modules/node/bin/node')

if (existsSync(vite) && existsSync(place('web/index.html'))) {
  const program = existsSync(node) ? node : process.execPath
  const { status } = spawnSync(program, [vite, 'build', '--logLevel', 'warn'], {
    cwd: place('web'),
    // Otherwise Vite builds for development wherever NODE_ENV says so, as in tests.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
