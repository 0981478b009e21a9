import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { fileURLToPath } from 'node:url'
import { forgetOldAssets } from './build/forget-old-assets.ts'
import { guide } from './build/guide/plugin.ts'
import { precompress } from './build/precompress.ts'

/** What the hub answers itself; everything else is the page. */
const ofTheHub =
  '^/(v1|v2|traffic|push|auth|demo|quota|map|health|ready|metrics|catalogue|json|swagger|apispec|deprecations|openapi\\.json|explorer\\.json)(?![\\w-])'

/** The repository, of which the guide is read. */
const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  plugins: [svelte(), guide(root), precompress(), forgetOldAssets()],
  build: {
    assetsDir: 'assets',
    // Everything is a file of its own: the page's policy allows no data: scripts and styles.
    assetsInlineLimit: 0,
    // A hub that runs serves the page it started with; what it needs stays for a while.
    emptyOutDir: false,
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The hub reads in it which files each view needs, and names them in the page.
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 1200,
    // Each file costs a browser some milliseconds, however small it is.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            {
              name: 'shared',
              minShareCount: 4,
              // Few visitors need the map, and fewer the Desk.
              test: (id) => !/\/src\/(map|desk)\//.test(id),
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { [ofTheHub]: process.env['HUB_URL'] ?? 'http://localhost:8080' },
  },
})
