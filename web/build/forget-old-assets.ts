import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const oneHour = 3_600_000

/**
 * Removes assets of earlier builds. Not at once: who has the page open may still fetch its parts, and
 * a hub that runs serves the page it started with.
 */
export function forgetOldAssets(): Plugin {
  let folder = ''
  let began = 0
  return {
    name: 'hub:forget-old-assets',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir, build.assetsDir)
      began = Date.now()
    },
    closeBundle: {
      // Not while others pack what is there.
      sequential: true,
      handler: () => forget(folder, began - oneHour),
    },
  }
}

async function forget(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  // Packed forms are younger than what they are of, and nothing without it.
  const originals = names.filter((name) => !/\.(br|gz)$/.test(name))
  for (const name of originals) {
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs >= before) continue
    for (const form of ['', '.br', '.gz']) await rm(`${path}${form}`, { force: true })
  }
}
