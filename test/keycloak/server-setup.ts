import type { TestProject } from 'vitest/node'
import { createRealm } from './keycloak-provider.ts'
import type { RunningKeycloak } from './keycloak-provider.ts'
import { startKeycloak } from './server-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly keycloak: RunningKeycloak
  }
}

/** Starts the Keycloak of `TEST_KEYCLOAK_HOME` once per run, with the realm of this folder. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = process.env['TEST_KEYCLOAK_HOME']
  if (home === undefined) throw new Error('Run npm run test:keycloak, which gets a Keycloak first.')
  const { stop, ...server } = await startKeycloak(home)
  try {
    const keycloak = { ...server, realm: 'hub' }
    await createRealm(keycloak)
    project.provide('keycloak', keycloak)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
