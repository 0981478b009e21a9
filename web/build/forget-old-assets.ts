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
    closeBundle: async () => {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        const path = join(folder, name)
        const written = (await stat(path)).mtimeMs
        if (written < began - oneHour) await rm(path)
      }
    },
  }
}
