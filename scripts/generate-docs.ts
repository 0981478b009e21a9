import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'oxfmt'
import layout from '../oxfmt.config.ts'
import { configurationPage, environmentExample } from './configuration-docs.ts'
import { errorsPage } from './errors-docs.ts'
import { helpFile } from './help-docs.ts'

// `npm run docs` writes the documents that are generated from code; with --check it only compares
// them, for CI.

const documents: Readonly<Record<string, string>> = {
  '.env.example': environmentExample(),
  ...(await formatted('docs/configuration.md', configurationPage())),
  ...(await formatted('docs/errors.md', errorsPage())),
  ...(await formatted('src/cli/help.json', await helpFile())),
}

async function formatted(path: string, text: string): Promise<Record<string, string>> {
  const { code } = await format(path, text, layout)
  return { [path]: code }
}

/** Reports whether a document is up to date. A missing file never is. */
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
