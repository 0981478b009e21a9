import type { Config } from '../config/index.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { canonicalKinds } from '../push/index.ts'
import type { Surroundings } from './surroundings.ts'

/** What is needed to try mappings out, as the hub would use them. */
export function previewDeps(config: Config, { log }: Pick<Surroundings, 'log'>) {
  return {
    kinds: canonicalKinds(entitiesOf(toNaming(config.HUB_PREFIX))),
    memory: config.HUB_MAPPING_MEMORY,
    maxBytes: config.HUB_PUSH_BODY_LIMIT,
    log,
  }
}
