import type { Kind } from '../canonical/kind.ts'
import type { Mappings } from '../pipeline.ts'
import { limitsOf } from './evaluate/compile-mapping.ts'
import { createMapper } from './mapper.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'
import { toParts } from './to-parts.ts'

/** The mappings of streams, as the queue uses them. */
export function mappingsOf(options: ProcessOptions, kinds: readonly Kind[]): Mappings {
  const mapper = createMapper(options)
  return {
    secondsFor: (stream) => {
      const mapping = mapper.of(stream)
      return mapping === undefined ? undefined : limitsOf(mapping.definition).seconds
    },
    prepare: async (message) => {
      const mapped = await mapper.map(message)
      const { name, version, sha256 } = mapped.mapping
      return { mapping: { name, version, sha256 }, parts: () => toParts(mapped, kinds) }
    },
    close: () => mapper.close(),
  }
}
