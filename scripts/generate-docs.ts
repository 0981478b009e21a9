import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { configurationPage, environmentExample } from './configuration-docs.ts'
import { errorsPage } from './errors-docs.ts'

// `npm run docs` writes what follows from the code; with --check it only compares, for CI.

const documents: Readonly<Record<string, string>> = {
  '.env.example': environmentExample(),
  'docs/configuration.md': await formatted(configurationPage()),
  'docs/errors.md': await formatted(errorsPage()),
}

async function formatted(markdown: string): Promise<string> {
  return format(markdown, { ...(await resolveConfig('docs/README.md')), parser: 'markdown' })
}

/** A missing document differs from every text. */
async function isCurrent(path: string, text: string): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => undefined)) === text
}

const check = process.argv.includes('--check')
for (const [path, text] of Object.entries(documents)) {
  if (await isCurrent(path, text)) continue
  if (check) {
    console.error(`${path} differs from what the code says. Run \`npm run docs\` and commit it.`)
    process.exitCode = 1
  } else {
    await writeFile(path, text)
    console.log(`wrote ${path}`)
  }
}
