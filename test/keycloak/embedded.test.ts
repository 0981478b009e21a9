import { describeConformance } from './describe-conformance.ts'
import { startEmbeddedProvider } from './embedded-provider.ts'

describeConformance('embedded', async () => {
  const { stop, ...provider } = await startEmbeddedProvider()
  return { provider, stop }
})
