import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { differences } from '../samples.ts'
import type { DraftTrials } from '../try-mapping.ts'
import type { Sample, StoredSample } from './versions.ts'

/** What a mapping makes of a sample, and what is different from what the version before made of it. */
export type CheckedSample = {
  readonly sample: StoredSample
  readonly items: number
  readonly rejected: number
  /** Lines for people; none where the version before had no such sample. */
  readonly differences: readonly string[]
}

type Checking = {
  readonly text: string
  readonly files: Readonly<Record<string, string>>
  readonly samples: readonly Sample[]
  /** Of the version before. */
  readonly before: readonly StoredSample[]
}

/**
 * Tries a mapping that has no faults on its samples, one after the other.
 * @throws AppError HUB-SRV-007 when too many wait
 */
export async function checkSamples(
  { text, files, samples, before }: Checking,
  trials: Pick<DraftTrials, 'try'>,
): Promise<readonly CheckedSample[]> {
  const checked: CheckedSample[] = []
  for (const one of samples) {
    const { payload, encoding = 'utf8', contentType = null } = one
    const received = new Date(one.received ?? '2026-01-01T00:00:00Z')
    const body = Buffer.from(payload, encoding)
    const made = await trials.try({ text, files, body, contentType, received })
    const result = plain({ objects: made.objects, rejected: made.rejected })
    const old = before.find(({ name, payload: same }) => name === one.name && same === payload)
    checked.push({
      sample: { ...one, result },
      items: made.items,
      rejected: made.rejected.length,
      differences: old === undefined ? [] : differences(old.result, result, ''),
    })
  }
  return checked
}

/** As the database returns it: without fields that are undefined. */
function plain(value: StoredSample['result']): StoredSample['result'] {
  return Parse(resultShape, JSON.parse(JSON.stringify(value)))
}

const resultShape = Type.Object({ objects: Type.Unknown(), rejected: Type.Unknown() })
