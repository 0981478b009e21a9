import { describe, expect, it } from 'vitest'
import { generate, knowing, tag } from '../../../../test/fixtures/generated-members.ts'

describe('tags', () => {
  it('are generated from TagIds, with the links of the recommended system', () => {
    const { record, paths } = generate('Article', { TagIds: ['summer', 'x y'] })
    expect(record).toEqual({
      TagIds: ['summer', 'x y'],
      Tags: [
        { Id: 'summer', Self: '/v1/Tag/summer' },
        { Id: 'x y', Self: '/v1/Tag/x%20y' },
      ],
      SmgTags: ['summer', 'x y'],
      HubTags: [
        { Id: 'summer', Self: '/v1/Tag/summer' },
        { Id: 'x y', Self: '/v1/Tag/x%20y' },
      ],
    })
    expect(paths).toEqual(['HubTags', 'SmgTags', 'Tags'])
  })

  it('set TagIds if only Tags are sent', () => {
    expect(generate('Venue', { Tags: [{ Id: 'a', Name: 'A' }] }).record).toMatchObject({
      TagIds: ['a'],
      Tags: [{ Id: 'a', Name: 'A' }],
    })
  })

  it('include their known details and their forerunners', () => {
    const lts = { source: 'lts', types: ['ltscategory'], ltsRid: 'RID' }
    const known = knowing(
      tag('museums', { forerunners: ['museen'] }),
      tag('FARM', { ...lts, isCategory: false }),
    )
    const { record } = generate('HubActivityPoi', { TagIds: ['museums', 'FARM'] }, known)
    expect(record).toMatchObject({
      Tags: [
        { Id: 'museums', Source: 'idm', Type: 'odhcategory', Name: 'museums in English' },
        { Id: 'FARM', Source: 'lts', Type: 'ltscategory' },
      ],
      SmgTags: ['museen'],
      HubTags: [{ Id: 'museen', Self: '/v1/Tag/museen' }],
      LTSTags: [{ Id: 'FARM', LTSRID: 'RID', TagName: { en: 'FARM in English' } }],
    })
  })

  it('are not copied to LTSTags for events, which no longer have that field', () => {
    const { record } = generate('Event', { TagIds: ['a'] }, knowing(tag('a', { source: 'lts' })))
    expect(record).not.toHaveProperty('LTSTags')
  })

  it('set the classification and topics of events', () => {
    const known = knowing(
      tag('c', { types: ['eventclassification'] }),
      tag('t', { types: ['eventcategory'] }),
    )
    expect(generate('Event', { TagIds: ['c', 't'] }, known).record).toMatchObject({
      ClassificationRID: 'c',
      TopicRIDs: ['t'],
      Topics: [{ TopicRID: 't', TopicInfo: 't in English', Self: '/v1/Tag/t' }],
    })
  })

  it('set the categories of each language, unless the record has its own', () => {
    const known = knowing(
      tag('a'),
      tag('b', { isCategory: false }),
      tag('c', { name: { it: 'c' } }),
    )
    const infos = { de: { Novelty: 'neu' } }
    const { record, paths } = generate(
      'HubActivityPoi',
      { TagIds: ['a', 'b', 'c', 'a'], AdditionalPoiInfos: infos },
      known,
    )
    expect(record['AdditionalPoiInfos']).toEqual({
      de: { Novelty: 'neu', Language: 'de', Categories: ['a auf Deutsch'] },
      en: { Language: 'en', Categories: ['a in English'] },
      it: { Language: 'it', Categories: ['c'] },
    })
    expect(paths.filter((path) => path.startsWith('Additional'))).toEqual([
      'AdditionalPoiInfos.de.Categories',
      'AdditionalPoiInfos.de.Language',
      'AdditionalPoiInfos.en',
      'AdditionalPoiInfos.it',
    ])
    const own = { en: { Categories: ['Own'] } }
    const kept = generate('HubActivityPoi', { TagIds: ['a'], AdditionalPoiInfos: own }, known)
    expect(kept.record['AdditionalPoiInfos']).toEqual(own)
  })
})
