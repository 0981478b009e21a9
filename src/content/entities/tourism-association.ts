import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { link, links } from './members/links.ts'
import { geo, regionMembers } from './members/region.ts'
import { text, texts } from './members/values.ts'

/** Local tourism organisations (interface 2.3); `tvs` in location filters. */
export const tourismAssociation = (naming: Naming) =>
  defineEntity({
    name: 'TourismAssociation',
    summary: 'Local tourism organisations',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    isBareList: true,
    schema: tourismSchema(naming, 'TourismAssociation', {
      ...regionMembers,
      Geo: geo,
      RegionId: text,
      Region: link,
      SkiareaIds: texts,
      SkiAreas: links,
    }),
  })
