import { describe, expect, it } from 'vitest'
import { entitiesOf } from './entities/index.ts'
import { toNaming } from './naming.ts'

describe('toNaming', () => {
  it('spells the names of the interface for the prefix Hub', () => {
    expect(toNaming('Hub')).toEqual({
      prefix: 'Hub',
      activityPoi: 'HubActivityPoi',
      activityPoiTypes: 'HubActivityPoiTypes',
      tags: 'HubTags',
      tagIds: 'HubTagIds',
      active: 'HubActive',
      datasetType: 'HubType',
      metaDataType: 'hubmetadata',
      objectType: 'hubtype',
      activeFilter: 'hubactive',
      tagFilter: 'hubtagfilter',
    })
  })

  it('spells the names of the public system for the prefix ODH', () => {
    expect(toNaming('ODH')).toEqual({
      prefix: 'ODH',
      activityPoi: 'ODHActivityPoi',
      activityPoiTypes: 'ODHActivityPoiTypes',
      tags: 'ODHTags',
      tagIds: 'ODHTagIds',
      active: 'OdhActive',
      datasetType: 'OdhType',
      metaDataType: 'odhmetadata',
      objectType: 'odhtype',
      activeFilter: 'odhactive',
      tagFilter: 'odhtagfilter',
    })
  })

  it('leaves no trace of one prefix in the entities of another', () => {
    // Aliases are the other spellings, which parameters accept as well (decision D10).
    const withoutAliases = (key: string, value: unknown) => (key === 'aliases' ? undefined : value)
    const schemas = JSON.stringify(entitiesOf(toNaming('ODH')), withoutAliases)
    expect(schemas).toContain('"OdhActive"')
    expect(schemas).not.toMatch(/hub/i)
  })
})
