import { readJson } from '../../api/index.ts'
import { readDeprecations } from './deprecations.ts'
import type { Deprecation } from './deprecations.ts'

/** What the hub says of the members of an entity. */
export async function loadDeprecations(
  type: string,
  signal: AbortSignal,
): Promise<readonly Deprecation[]> {
  const path = `/catalogue/content/${encodeURIComponent(type)}/members`
  return readDeprecations(await readJson<unknown>(path, {}, signal))
}
