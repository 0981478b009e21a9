import { inject } from 'vitest'
import { describeConformance } from './describe-conformance.ts'
import { keycloakProvider } from './keycloak-provider.ts'

describeConformance('keycloak', () => {
  const provider = keycloakProvider(inject('keycloak'))
  return Promise.resolve({ provider, stop: () => Promise.resolve() })
})
