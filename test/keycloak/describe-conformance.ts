import { afterAll, beforeAll, describe } from 'vitest'
import { describeDecisions } from './describe-decisions.ts'
import { describeFlows } from './describe-flows.ts'
import { describeHub } from './describe-hub.ts'
import { describeRefusals } from './describe-refusals.ts'
import type { TokenProvider } from './provider.ts'

type Opened = { readonly provider: TokenProvider; readonly stop: () => Promise<void> }

/**
 * Declares the tests of what the hub and its clients rely on in a token service (interface 2.6,
 * 4.12 and 5; push-traffic-auth.md 1.4 and 4). They are the same for the embedded service and for
 * Keycloak.
 */
export function describeConformance(
  kind: TokenProvider['kind'],
  open: () => Promise<Opened>,
): void {
  describe(kind === 'embedded' ? 'The embedded token service' : 'Keycloak', () => {
    let opened: Opened | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.stop())
    const provider = () => {
      if (opened === undefined) throw new Error('The provider runs only while tests do')
      return opened.provider
    }
    describeFlows(provider)
    describeRefusals(provider, kind)
    describeDecisions(provider)
    describeHub(provider)
  })
}
