import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const textual = /\.(m?js|css|svg|html|json|txt|webmanifest)$/
const smallestWorthPacking = 1024

/** Packs what was built once and well (brotli 11, gzip 9), so that the hub never packs it. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'hub:precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir)
    },
    closeBundle: async () => {
      const files = await readdir(folder, { recursive: true })
      await Promise.all(
        files.filter((name) => textual.test(name)).map((name) => pack(join(folder, name))),
      )
    },
  }
}

async function pack(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < smallestWorthPacking) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
