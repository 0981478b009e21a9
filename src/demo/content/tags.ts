import { at, hash32 } from '../random.ts'
import type { Setting } from '../setting.ts'
import { categories, trafficTags } from '../texts/tags.ts'
import type { TagRow } from '../texts/tags.ts'
import type { Collection } from './collection.ts'

type TagEntry = {
  readonly row: TagRow
  readonly source: string
  readonly type: string
  readonly validFor: string
}

const all = Object.values(categories).flat()
const names = new Map<string, TagRow>(all.map((row) => [row[0], row]))

/** Tags of the originating source stand beside the recommended ones, under their own identifiers. */
const ltsId = (category: string) => `lts:${category.replaceAll(' ', '-')}`
const ltsRid = (category: string) =>
  [1, 2, 3, 4]
    .map((part) => (hash32(category, part) >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()

export function tags(setting: Setting): Collection {
  const entries = entriesOf(setting)
  return {
    entity: 'Tag',
    count: entries.length,
    item: (index) => {
      const { row, source, type, validFor } = at(entries, index)
      const [id, de, it, en] = row
      return {
        Id: source === 'lts' ? ltsId(id) : id,
        Shortname: en,
        Active: true,
        Source: source,
        LicenseInfo: { License: 'CC0', ClosedData: false },
        TagName: { de, it, en },
        Description: {},
        Types: [type],
        ValidForEntity: [validFor],
        MainEntity: validFor,
        DisplayAsCategory: source === 'idm',
        [setting.naming.tagIds]: source === 'lts' ? [id] : [],
        LTSTaggingInfo: source === 'lts' ? { LTSRID: ltsRid(id), ParentLTSRID: '' } : null,
        Mapping: source === 'lts' ? { lts: { rid: ltsRid(id) } } : { idm: { id } },
        PublishDataWithTagOn: { 'holiday-portal': source === 'idm' },
      }
    },
  }
}

function entriesOf({ naming }: Setting): readonly TagEntry[] {
  const entity = (name: string) =>
    name === 'activityPoi' ? naming.activityPoi.toLowerCase() : name
  const recommended = Object.entries(categories).flatMap(([name, rows]) =>
    rows.map((row) => ({
      ...{ row, source: 'idm', validFor: entity(name) },
      type: name === 'event' ? 'eventtopic' : `${naming.prefix.toLowerCase()}category`,
    })),
  )
  const ofSource = (categories['activityPoi'] ?? []).map((row) => ({
    ...{ row, source: 'lts', validFor: entity('activityPoi'), type: 'ltscategory' },
  }))
  const ofTraffic = trafficTags.map((row) => ({
    ...{ row, source: 'traffic', validFor: 'announcement', type: 'announcement' },
  }))
  return [...recommended, ...ofSource, ...ofTraffic]
}

/** The tags of the originating source for a record with these categories. */
export function ltsTagsOf(ids: readonly string[]) {
  return ids.map((id, level) => {
    const [, de, it, en] = names.get(id) ?? [id, id, id, id]
    return { Id: ltsId(id), Level: level, LTSRID: ltsRid(id), TagName: { de, it, en }, LTSTins: [] }
  })
}

/** Names of categories, ready to show. */
export function categoryNames(ids: readonly string[], language: string): readonly string[] {
  const column = { de: 1, it: 2, en: 3 }[language] ?? 3
  return ids.map((id) => names.get(id)?.[column] ?? id)
}
