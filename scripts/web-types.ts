import { rm, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTs, { astToString } from 'openapi-typescript'
import { openComposedHub } from '../test/fixtures/composed-hub.ts'
import { embeddedSettings } from '../test/fixtures/database-settings.ts'
import { copyDataDir, emptyDataDir } from '../test/fixtures/embedded-template.ts'
import { forThePage } from './web-description.ts'

// `npm run web:types` writes the types that the page has of the API, from the hub's own description.
// With --check it only compares, for CI. No server is started; the description needs a database, though.

const target = 'web/src/api/schema.d.ts'

/** All services, as a hub in production has them. */
const everything = {
  HUB_IDENTITY: 'embedded',
  HUB_QUOTA: 'on',
  HUB_PUBLIC_URL: 'https://hub.example',
}

async function loadDescription(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-types-'))
  await copyDataDir(await emptyDataDir(), folder)
  const hub = await openComposedHub(embeddedSettings(folder), everything, 'serve')
  try {
    return (await hub.ask({ url: '/openapi.json' })).body
  } finally {
    await hub.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const head = '// Generated from the hub’s OpenAPI document by `npm run web:types`. Do not edit.\n\n'
const tree = await openapiTs(forThePage(await loadDescription()), { defaultNonNullable: false })
const text = `${head}${astToString(tree)}`
const current = await readFile(target, 'utf8').catch(() => undefined)
if (current !== text && process.argv.includes('--check')) {
  console.error(
    `${target} differs from what the hub says. Run \`npm run web:types\` and commit it.`,
  )
  process.exitCode = 1
} else if (current !== text) {
  await writeFile(target, text)
  console.log(`wrote ${target}`)
}
