import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { themedDetail } from './members/detail.ts'
import { links } from './members/links.ts'
import { regionMembers } from './members/region.ts'
import { note, texts } from './members/values.ts'

/** Regions of regions, which marketing shows as one; `mta` in location filters. */
export const metaRegion = (naming: Naming) =>
  defineEntity({
    name: 'MetaRegion',
    summary: 'Groups of tourism regions',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    isBareList: true,
    schema: tourismSchema(naming, 'MetaRegion', {
      ...regionMembers,
      DetailThemed: themedDetail,
      RegionIds: texts,
      TourismvereinIds: note(texts, 'Tourism associations'),
      DistrictIds: texts,
      Regions: links,
      TourismAssociations: links,
      Districts: links,
    }),
  })
