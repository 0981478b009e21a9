import type { Dataset } from '../../api/catalogue.ts'
import { pathOfLink } from '../../api/query.ts'

/** Where the records of each entity are read, and what other records call it. */
export type Directory = {
  readonly entities: readonly Entity[]
}

export type Entity = {
  readonly type: string
  readonly title: Dataset['title']
  /** Path of the member that names a record. */
  readonly titleField: string
  readonly access: Dataset['access']
  /** `/v1/Weather/District` */
  readonly list: string
  /** `/v1/Weather/District/{id}` */
  readonly record: string
}

/** The directory that a catalogue holds. */
export function toDirectory(
  datasets: readonly Pick<
    Dataset,
    'service' | 'type' | 'title' | 'titleField' | 'access' | 'links'
  >[],
): Directory {
  return {
    entities: datasets.flatMap(({ service, type, title, titleField, access, links }) => {
      const [list, record] = [pathOfLink(links['list']), pathOfLink(links['record'])]
      if (service !== 'content' || list === undefined || record === undefined) return []
      return [{ type, title, titleField, access, list, record }]
    }),
  }
}

/** Names that records use for other entities than their own. */
const otherNames: Readonly<Record<string, string>> = {
  tv: 'tourismassociation',
  tourismverein: 'tourismassociation',
  tourismorganization: 'tourismassociation',
  webcam: 'webcaminfo',
}

/** An entity by its name, or by one that records have for it: `Tourismverein`, `accommodation`. */
export function findEntity({ entities }: Directory, name: string): Entity | undefined {
  const wanted = name.toLowerCase()
  const meant = otherNames[wanted] ?? wanted
  return entities.find(({ type }) => type.toLowerCase() === meant)
}

/** The entity and id that an address of the API leads to. */
export function findByPath(
  { entities }: Directory,
  link: string,
): { readonly entity: Entity; readonly id: string } | undefined {
  const path = pathOfLink(link) ?? ''
  // The longest first: `/v1/Weather/District/1` is not a weather report with the id `District/1`.
  const entity = entities
    .filter(({ list }) => path.startsWith(`${list}/`))
    .toSorted((a, b) => b.list.length - a.list.length)[0]
  if (entity === undefined) return undefined
  const id = decode(path.slice(entity.list.length + 1))
  return id === undefined || id === '' || id.includes('/') ? undefined : { entity, id }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
