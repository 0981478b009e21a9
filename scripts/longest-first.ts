import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Files that take much longer than their size tells. At the end of a run the other workers would wait for them. */
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

/** The order of test files: these first, then as vitest has it, large ones before small ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      long.some((name) => moduleId.endsWith(`/${name}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
