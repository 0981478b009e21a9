import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

describeOnEngines('npm start', (engine) => {
  it('stops the hub when npm receives SIGTERM', async () => {
    const clone = await cloneDatabase(engine)
    const settings = Object.entries(clone.settings).map(([name, value]) => [name, String(value)])
    const port = String(await freePort())
    const env = { ...process.env, ...Object.fromEntries(settings), HUB_PORT: port }
    const npm = spawn('npm', ['start'], { cwd: project, env, stdio: 'ignore' })
    const isThere = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => true,
        () => false,
      )
    await expect.poll(isThere, { interval: 200 }).toBe(true)
    npm.kill('SIGTERM')
    await expect.poll(isThere, { interval: 200 }).toBe(false)
    await clone.drop()
  })
})
