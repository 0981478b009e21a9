import { defineEntity } from '../entity.ts'
import { searchableColumns, searchableFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { links } from './members/links.ts'
import { regionMembers } from './members/region.ts'
import { note, texts } from './members/values.ts'

/** Areas that visitors know by a name of their own, across administrative borders. */
export const experienceArea = (naming: Naming) =>
  defineEntity({
    name: 'ExperienceArea',
    summary: 'Areas that visitors know by a name of their own',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    columns: searchableColumns,
    filters: searchableFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'ExperienceArea', {
      ...regionMembers,
      TourismvereinIds: note(texts, 'Tourism associations'),
      DistrictIds: texts,
      TourismAssociations: links,
      Districts: links,
    }),
  })
