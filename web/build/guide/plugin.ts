import { join } from 'node:path'
import type { Plugin } from 'vite'
import { chapters, elsewhere } from './contents.ts'
import { readContents, readGuidePage } from './read-guide.ts'
import { toSections } from './to-sections.ts'

const prefix = 'virtual:guide'

/**
 * The guide as modules: `virtual:guide` lists the pages and loads each, `virtual:guide/sections` is what
 * a search looks through. Markdown is read at build time; the page has no parser of it.
 */
export function guide(root: string): Plugin {
  return {
    name: 'hub:guide',
    resolveId: (id) => (id === prefix || id.startsWith(`${prefix}/`) ? `\0${id}` : undefined),
    load: {
      filter: { id: /^\0virtual:guide/ },
      async handler(id) {
        const files = [...chapters.map(({ file }) => file), ...Object.keys(elsewhere)]
        for (const file of files) this.addWatchFile(join(root, file))
        return await toModule(root, id.slice(1 + prefix.length + 1))
      },
    },
  }
}

async function toModule(root: string, name: string): Promise<string> {
  if (name === '') {
    const loads = chapters.map(
      ({ slug }) => `${JSON.stringify(slug)}: () => import('${prefix}/page/${slug}')`,
    )
    return `${constant('contents', await readContents(root))}
export const loadPage = { ${loads.join(', ')} }`
  }
  if (name === 'sections') {
    const pages = await Promise.all(chapters.map(({ slug }) => readGuidePage(root, slug)))
    return constant(
      'sections',
      pages.flatMap((page) => (page === undefined ? [] : toSections(page))),
    )
  }
  return constant('page', await readGuidePage(root, name.replace('page/', '')))
}

/** Read by the browser faster than the same as an object of JavaScript. */
function constant(name: string, value: unknown): string {
  return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}
