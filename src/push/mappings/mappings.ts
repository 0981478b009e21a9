import { AppError } from '../../errors/index.ts'
import type { Kind } from '../canonical/kind.ts'
import type { Mappings } from '../pipeline.ts'
import { limitsOf } from './evaluate/compile-mapping.ts'
import { createMapper } from './mapper.ts'
import type { PlacedObject } from './mapper.ts'
import type { ProcessOptions } from './runner/mapping-process.ts'
import { toParts } from './to-parts.ts'

/** So many dry runs wait at most for the process that evaluates; what was pushed waits behind them. */
const mostTrials = 4

/** The mappings of streams, as the queue uses them. */
export function mappingsOf(options: ProcessOptions, kinds: readonly Kind[]): Mappings {
  const mapper = createMapper(options)
  let trials = 0
  const prepare: Mappings['prepare'] = async (message) => {
    const mapped = await mapper.map(message)
    const { name, version, sha256 } = mapped.mapping
    const members = membersOf(mapped.objects)
    return { mapping: { name, version, sha256 }, members, parts: () => toParts(mapped, kinds) }
  }
  return {
    secondsFor: (stream) => {
      const mapping = mapper.of(stream)
      return mapping === undefined ? undefined : limitsOf(mapping.definition).seconds
    },
    prepare,
    prepareTrial: async (message) => {
      if (trials >= mostTrials) throw tooMany()
      trials += 1
      try {
        return await prepare(message)
      } finally {
        trials -= 1
      }
    },
    close: () => mapper.close(),
  }
}

function tooMany(): AppError {
  return new AppError('HUB-SRV-007', `${String(mostTrials)} dry runs wait to be evaluated.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '5' },
  })
}

/** Longer names and more members are not watched. */
const mostMembers = 300
const longestName = 200

/**
 * The members of canonical objects that have a value in some item, as `stations Parking metadata.capacity`; of
 * measurements the data types.
 */
export function membersOf(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>()
  for (const { value } of objects) {
    const { kind, stationType, edgeType, entity, items } = toObject(value)
    if (!Array.isArray(items)) continue
    const about = [kind, stationType ?? edgeType ?? entity].filter((one) => typeof one === 'string')
    for (const item of items) {
      for (const name of namesIn(item)) found.add([...about, name].join(' '))
      if (found.size > mostMembers) return []
    }
  }
  return [...found].filter((name) => name.length <= longestName)
}

function namesIn(item: unknown): readonly string[] {
  if (Array.isArray(item)) return typeof item[1] === 'string' ? [item[1]] : []
  const { metadata, ...members } = toObject(item)
  return [...withValue(members), ...withValue(toObject(metadata)).map((name) => `metadata.${name}`)]
}

function withValue(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [name],
  )
}

function toObject(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
