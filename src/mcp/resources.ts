import { readFile, readdir } from 'node:fs/promises'
import { AppError } from '../errors/index.ts'
import type { Ask } from './ask-hub.ts'

type Contents = { readonly uri: string; readonly mimeType: string; readonly text: string }

type Listed = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
  readonly description?: string
}

/** Documents that an assistant can read without a tool: the documentation and the catalogue. */
export type Resources = {
  readonly list: () => Promise<{ resources: Listed[] }>
  readonly templates: () => { resourceTemplates: (Omit<Listed, 'uri'> & { uriTemplate: string })[] }
  /** Returns the resource, or undefined if it does not exist. */
  readonly read: (uri: string, ask: Ask) => Promise<Contents | undefined>
}

const catalogueUri = 'hub://catalogue'
const docsUri = 'hub://docs/'
const json = 'application/json'
const markdown = 'text/markdown'

const catalogue: Listed = {
  uri: catalogueUri,
  name: 'catalogue',
  title: 'Catalogue',
  mimeType: json,
  description: 'All datasets: identifier, titles, number of records, time of the latest change',
}

/**
 * Creates the resources of the MCP server.
 * @param docs folder of the documentation pages; if it does not exist, no pages are listed
 */
export function resourcesOf(docs: URL): Resources {
  let pages: Promise<readonly Listed[]> | undefined
  const known = () => (pages ??= listPages(docs))
  return {
    list: async () => ({ resources: [catalogue, ...(await known())] }),
    templates: () => ({ resourceTemplates: [dataset] }),
    read: async (uri, ask) => {
      if (!uri.startsWith(docsUri)) return readCatalogue(uri, ask)
      const page = (await known()).find((one) => one.uri === uri)
      if (page === undefined) return undefined
      const text = await readFile(new URL(`${page.name}.md`, docs), 'utf8')
      return { uri, mimeType: markdown, text }
    },
  }
}

const dataset = {
  uriTemplate: `${catalogueUri}/{service}/{type}`,
  name: 'dataset',
  title: 'Dataset',
  mimeType: json,
  description: 'One dataset: content/Accommodation, timeseries/ParkingStation …',
}

/** Lists the pages in the order of their file names. Each title is the page's first heading. */
async function listPages(docs: URL): Promise<readonly Listed[]> {
  const files = await readdir(docs).catch(() => [])
  const names = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3))
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(new URL(`${name}.md`, docs), 'utf8')
      const [, title = name] = /^# (.+)$/m.exec(text) ?? []
      return { uri: `${docsUri}${name}`, name, title, mimeType: markdown }
    }),
  )
}

const listed = 'id,title,dataspace,count,updated'

async function readCatalogue(uri: string, ask: Ask): Promise<Contents | undefined> {
  const read = async (path: string, parameters = {}) => {
    const { body } = await ask(path, parameters)
    return { uri, mimeType: json, text: JSON.stringify(body) }
  }
  if (uri === catalogueUri) return read('/catalogue', { fields: listed })
  const [, id] = /^hub:\/\/catalogue\/([a-z]+\/[^/?#]+)$/.exec(uri) ?? []
  if (id === undefined) return undefined
  return read(`/catalogue/${id}`).catch((error: unknown) => {
    if (error instanceof AppError && [400, 404].includes(error.status)) return undefined
    throw error
  })
}
