import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
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
    closeBundle: {
      // Others remove files of earlier builds.
      sequential: true,
      handler: () => packFolder(folder),
    },
  }
}

/** The page itself comes last: where it is packed, all that it needs is. */
export async function packFolder(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => textual.test(name))
  const pages = names.filter((name) => name.endsWith('.html'))
  const parts = names.filter((name) => !pages.includes(name))
  await Promise.all(parts.map((name) => pack(join(folder, name))))
  await Promise.all(pages.map((name) => pack(join(folder, name), 'anew')))
}

/** What an earlier build has packed already stays as it is. */
async function pack(path: string, how?: 'anew'): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < smallestWorthPacking) return
  if (how !== 'anew' && (await isPacked(path, bytes))) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await replace(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  await replace(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

/** By the second of the two: it is written last. */
async function isPacked(path: string, bytes: Uint8Array): Promise<boolean> {
  return readFile(`${path}.gz`)
    .then((packed) => promisify(gunzip)(packed))
    .then(
      (unpacked) => unpacked.equals(bytes),
      () => false,
    )
}

/** A hub that runs may be reading it: it is there whole, or as it was before. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${String(process.pid)}.part`
  await writeFile(unfinished, bytes)
  await rename(unfinished, path)
}
