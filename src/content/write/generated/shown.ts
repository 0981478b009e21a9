import { isAbsent } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

/** `SmgActive` and its copy from `PublishedOn`: what a channel shows, the platform shows (interface 9.1). */
export const shown: GeneratorFor = (entity) => {
  const { active } = entity.naming
  if (!has(entity, 'SmgActive', active)) return undefined
  return ({ record, give }) => {
    const { PublishedOn, SmgActive } = record
    const isShown = record[active] ?? SmgActive ?? isPublished(PublishedOn)
    if (isAbsent(isShown)) return
    give(['SmgActive'], isShown)
    give([active], record['SmgActive'])
  }
}

function isPublished(channels: unknown): boolean | undefined {
  return Array.isArray(channels) ? channels.length > 0 : undefined
}
