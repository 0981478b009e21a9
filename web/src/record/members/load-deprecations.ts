import { loadMembers } from '../../api/index.ts'
import { readDeprecations } from './deprecations.ts'
import type { Deprecation } from './deprecations.ts'

/** What the hub says of the members of an entity. */
export async function loadDeprecations(
  type: string,
  signal: AbortSignal,
): Promise<readonly Deprecation[]> {
  const { members } = await loadMembers({ service: 'content', type }, signal)
  return readDeprecations(members)
}
