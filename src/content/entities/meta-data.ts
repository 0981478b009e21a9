import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { recordSchema } from './base.ts'
import { links } from './members/links.ts'
import { images } from './members/media.ts'
import { tagIds, tags } from './members/tags.ts'
import { flag, integer, keyed, note, object, perLanguage, text, texts } from './members/values.ts'

/** How to read the dataset. */
const access = (naming: Naming) => ({
  BaseUrl: note(text, 'Scheme and host; absent: this service'),
  PathParam: note(texts, 'Segments of the path, such as v1 and Accommodation'),
  ApiFilter: note(texts, 'Parts of the query, such as source=lts'),
  ApiUrl: note(
    text,
    'The address made of the three above; made on every read for datasets of this service',
  ),
  ApiType: note(text, 'content or timeseries'),
  ApiAccess: note(keyed(text), 'Per source: open, reduced or closed'),
  Output: note(keyed(text), 'Formats of answers, by name'),
  SwaggerUrl: note(text, 'Where the addresses of the dataset are described'),
  Type: note(text, 'Type of the records, as in _Meta.Type'),
  [naming.datasetType]: text,
  CoordinateSource: object({ Type: note(text, 'GeoData or GpsInfo'), Field: text }),
})

/** Metadata records of the datasets (interface 2.4). Reading takes a token in the strict profile (decision D33). */
export const metaData = (naming: Naming) =>
  defineEntity({
    name: 'MetaData',
    type: naming.metaDataType,
    summary: 'Metadata records of the datasets',
    idStyle: 'lower',
    titles: ['ApiDescription.*', 'Shortname'],
    order: [],
    needsToken: 'strict',
    furtherPaths: ['/v1'],
    computedMembers: ['BaseUrl', 'ApiUrl', 'SwaggerUrl', 'RecordCount'],
    schema: recordSchema('TourismMetaData', {
      ApiDescription: perLanguage(text),
      MetaTitle: perLanguage(text),
      MetaDescription: perLanguage(text),
      ...access(naming),
      Dataspace: note(text, 'Such as tourism or mobility'),
      Category: texts,
      DataProvider: texts,
      Sources: texts,
      DatasetLicenses: texts,
      RecordCount: note(
        keyed(integer),
        'How many records are open, closed, and open with members left out; counted on every read for datasets of this service',
      ),
      Deprecated: flag,
      ImageGallery: images,
      TagIds: tagIds,
      Tags: tags,
      [naming.tags]: links,
    }),
  })
