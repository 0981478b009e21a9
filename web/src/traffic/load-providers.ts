import { loadCatalogue, readJson } from '../api/index.ts'
import type { Dataset } from '../api/index.ts'

/** Who tells of traffic: by what name in addresses, and by what name in the records of the content service. */
export type Provider = { readonly slug: string; readonly sources: readonly string[] }

/** All providers, or the one that the address names. */
export async function loadProviders(
  slug: string | undefined,
  signal: AbortSignal,
): Promise<readonly Provider[]> {
  const datasets =
    slug === undefined
      ? (await loadCatalogue(signal)).datasets
      : [await readJson<Dataset>(`/catalogue/traffic/${encodeURIComponent(slug)}`, {}, signal)]
  return datasets
    .filter(({ service }) => service === 'traffic')
    .map(({ type, sources }) => ({ slug: type, sources }))
}
