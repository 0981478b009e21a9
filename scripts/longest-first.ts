import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/**
 * Test files that take much longer than their size suggests. If they started last, the other
 * workers would wait for them.
 */
const long = [
  'every-dataset.test.ts',
  'push-kill.test.ts',
  'push-mappings-guide.test.ts',
  'restarts.test.ts',
  'image.test.ts',
  'push-faults.test.ts',
  'push-mappings.test.ts',
  'mapping-process.test.ts',
  'lifecycle.test.ts',
  'push-full-disk.test.ts',
  'stopped-run.test.ts',
]

/**
 * Sorts the files above to the front and keeps vitest's order for the rest, which is by size,
 * largest first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      long.some((name) => moduleId.endsWith(`/${name}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
