import { defineEntity } from '../entity.ts'
import { searchableColumns, searchableFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { detail } from './members/detail.ts'
import { link } from './members/links.ts'
import { note, text } from './members/values.ts'

/** Areas of activities, such as a skiing or hiking area (interface 2.3); `are` in area filters. */
export const area = (naming: Naming) =>
  defineEntity({
    name: 'Area',
    summary: 'Areas of activities, within regions',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    columns: searchableColumns,
    filters: searchableFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'Area', {
      Detail: detail,
      AreaType: text,
      CustomId: text,
      GID: text,
      LtsID: text,
      RegionId: text,
      TourismvereinId: note(text, 'Tourism association'),
      MunicipalityId: text,
      SkiAreaID: text,
      Region: link,
      Tourismassociation: link,
      Municipality: link,
      SkiArea: link,
    }),
  })
