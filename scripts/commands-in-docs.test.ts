import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/**
 * Outside a checkout, npx would fetch a package named "hub" from the registry, which is not ours.
 */
const fetchesStrangers = /\b(npx|npm exec|pnpm dlx|yarn dlx|bunx)\s+(-\S+\s+)*hub\b/

it('No document and no command text starts the hub through npx', () => {
  const files = execFileSync('git', [
    'ls-files',
    '*.md',
    'src/cli',
    'web/src',
    'Dockerfile',
    'compose.yaml',
  ])
  const wrong = files
    .toString()
    .trim()
    .split('\n')
    .filter((file) => file !== 'CHANGELOG.md')
    .filter((file) => fetchesStrangers.test(readFileSync(file, 'utf8')))
  expect(wrong).toEqual([])
})
