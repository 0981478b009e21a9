import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../fixtures/free-port.ts'
import type { RunningKeycloak } from './keycloak-provider.ts'

/**
 * Startup timeout in milliseconds. At its first start an unpacked Keycloak compiles itself, which
 * takes a minute.
 */
const patience = 300_000
const administrator = { username: 'admin', password: 'for one test run' }

type KeycloakProcess = Omit<RunningKeycloak, 'realm'> & { readonly stop: () => Promise<void> }

/** Starts the Keycloak unpacked in `home` on loopback. It keeps nothing when it ends. */
export async function startKeycloak(home: string): Promise<KeycloakProcess> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/auth`
  const address = ['--http-host=127.0.0.1', `--http-port=${port}`, '--http-relative-path=/auth']
  const child = spawn('bash', [join(home, 'bin/kc.sh'), 'start-dev', '--db=dev-mem', ...address], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx768m',
    },
    // A separate process group, because kc.sh starts Java and both must be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString()
    })
  }
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  process.once('exit', end)
  const gone = once(child, 'exit')
  const stop = async () => {
    end()
    await gone
    process.removeListener('exit', end)
  }
  if (!(await isReady(`${url}/realms/master`, () => child.exitCode !== null))) {
    await stop()
    throw new Error(`Keycloak did not become ready:\n${output}`)
  }
  return { url, administrator, stop }
}

async function isReady(address: string, hasEnded: () => boolean): Promise<boolean> {
  const start = performance.now()
  while (!hasEnded() && performance.now() - start < patience) {
    const answers = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return true
    await pause(250)
  }
  return false
}
