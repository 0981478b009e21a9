import { listFormatsOf, needsToken, wordsOf } from '../../content/index.ts'
import type { Entity } from '../../content/index.ts'
import type { Described, Drawable } from '../dataset.ts'
import type { Describing } from './deps.ts'
import { linksTo } from './links.ts'
import { tell, together, traces } from './summaries.ts'
import type { Summary } from '../../content/index.ts'

/** The entities of the content service. Those whose lists take a token are named, not counted. */
export function describeContent(describing: Describing): readonly Drawable[] {
  return describing.entities.map((entity) => describe(entity, describing))
}

function describe(entity: Entity, describing: Describing): Drawable {
  const { publicUrl, profile, hasToken, open, closed, guest } = describing
  const of = ({ content }: Pick<typeof open, 'content'>) => sumOf(content.get(entity.name))
  const takesToken = needsToken(entity, profile)
  const isHidden = takesToken && !hasToken
  const nothing = { open: undefined, closed: undefined, guest: undefined }
  const parts = isHidden ? nothing : { open: of(open), closed: of(closed), guest: of(guest) }
  const told = tell(parts)
  const access = entity.closedMembers.length > 0 && told.access === 'open' ? 'partly' : told.access
  const id = `content/${entity.name}`
  const path = `${publicUrl}/v1/${entity.path}`
  const described: Described = {
    id,
    service: 'content',
    type: entity.name,
    ...wordsOf(entity.naming, entity.name),
    ...told,
    count: isHidden ? null : told.count,
    access: takesToken ? 'closed' : access,
    freshness: null,
    dataTypes: [],
    formats: listFormatsOf(entity).map(({ name, mediaTypes: [mediaType] }) => ({
      name,
      mediaType,
    })),
    operations: [`list${entity.name}`, `get${entity.name}`],
    links: {
      ...linksTo({ publicUrl, id, page: id }),
      list: path,
      record: `${path}/{id}`,
      search: `${path}Search`,
    },
  }
  const drawn = traces(parts)
  return { described, traces: takesToken ? { ...drawn, openCells: new Map() } : drawn }
}

/** The records of all origins together. */
function sumOf(parts: ReadonlyMap<string, Summary> | undefined): Summary | undefined {
  return [...(parts?.values() ?? [])].reduce<Summary | undefined>(
    (sum, part) =>
      sum === undefined ? part : together({ open: sum, closed: part, guest: undefined }),
    undefined,
  )
}
