import { spawn, spawnSync } from 'node:child_process'
import { fetchKeycloak, version } from './fetch-keycloak.ts'

// `npm run test:keycloak [-- arguments of vitest]` runs the conformance suite of test/keycloak
// against a real Keycloak. TEST_KEYCLOAK_HOME names one that is already unpacked; otherwise Maven
// downloads it once. Without Java or Maven the suite is left out, which is a failure if CI is set.

const needed = ['java', 'mvn', 'bash']
const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

function run(home: string): Promise<number> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'keycloak']
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_KEYCLOAK_HOME: home },
  })
  child.on('error', reject)
  child.on('close', (code) => {
    resolve(code ?? 1)
  })
  return promise
}

const given = process.env['TEST_KEYCLOAK_HOME']
const missing = given === undefined ? needed.filter((program) => !isThere(program)) : []
if (missing.length > 0) {
  console.log(`LEFT OUT  Keycloak ${version}: there is no ${missing.join(' and no ')} here.`)
  console.log('0 passed, 0 failed, 0 skipped')
  process.exitCode = ['', 'false', undefined].includes(process.env['CI']) ? 0 : 1
} else {
  process.exitCode = await run(given ?? (await fetchKeycloak()))
}
