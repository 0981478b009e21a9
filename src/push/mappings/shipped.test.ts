import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/fixtures/silent-log.ts'
import { entitiesOf, toNaming } from '../../content/index.ts'
import { canonicalKinds } from '../canonical/pipeline.ts'
import { loadMappings } from './definition/load-mappings.ts'
import { previewer } from './preview.ts'
import { loadSampled, runSamples } from './samples.ts'

const folder = fileURLToPath(new URL('../../../mappings/', import.meta.url))

describe('the mappings included with the hub', () => {
  it('have no faults and no conflicts', async () => {
    const mappings = await loadMappings(folder)
    expect(mappings.map(({ name }) => name)).toEqual(readdirSync(folder).toSorted())
  })

  it('convert their samples as expected, at least one each', async () => {
    const sampled = await loadSampled(folder)
    const { preview, close } = previewer(
      sampled.map(({ mapping }) => mapping),
      {
        kinds: canonicalKinds(entitiesOf(toNaming('Hub'))),
        memory: 256,
        maxBytes: 10_000_000,
        log: silentLog,
      },
    )
    try {
      for (const one of sampled) {
        const results = await runSamples(one, { preview, aim: 'compare' })
        expect(results, one.mapping.name).not.toEqual([])
        expect(results.filter(({ outcome }) => outcome !== 'same')).toEqual([])
      }
    } finally {
      await close()
    }
  })
})
