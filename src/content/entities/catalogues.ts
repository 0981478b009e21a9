import { sql } from '../../sql/index.ts'
import { defineEntity } from '../entity.ts'
import { sourceFilters, tagColumns, tagFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { recordSchema } from './base.ts'
import { images, links, tagIds, tags } from './members/parts.ts'
import {
  description,
  flag,
  integer,
  keyed,
  kind,
  list,
  name,
  note,
  object,
  perLanguage,
  text,
  texts,
  title,
} from './members/values.ts'

/**
 * Defines the entity for channels that show records: every value that `PublishedOn` may have
 * (decision D37).
 */
export const publisher = () =>
  defineEntity({
    name: 'Publisher',
    summary: 'Channels that show records',
    idStyle: 'lower',
    titles: ['Name.*', 'Id'],
    schema: recordSchema('Publisher', {
      Key: text,
      Name: perLanguage(name),
      Url: text,
      PushConfig: list({ PathParam: texts, BaseUrl: text, PushApiUrl: text }),
    }),
  })

/** Defines the entity for the tags of all systems, which records may have (interface 2.3, 4.7). */
export const tag = (naming: Naming) =>
  defineEntity({
    name: 'Tag',
    summary: 'Tags of records',
    idStyle: 'exact',
    formerPaths: [`${naming.prefix}Tag`],
    titles: ['TagName.*'],
    columns: {
      main_entity: {
        type: 'text',
        expression: sql`left(data ->> 'MainEntity', 100)`,
        index: 'none',
      },
      ...tagColumns,
    },
    filters: tagFilters,
    order: ['main_entity', 'shortname'],
    schema: recordSchema('Tag', {
      TagName: perLanguage(title),
      Description: perLanguage(description),
      Types: note(texts, 'Kinds of tag, such as ltscategory or eventtopic'),
      ValidForEntity: note(texts, 'Entities whose records may have the tag'),
      PublishDataWithTagOn: note(keyed(flag), 'Whether a publisher shows records with the tag'),
      [naming.tagIds]: note(texts, 'Predecessors of the tag in the recommended system'),
      Shortname: text,
      MainEntity: text,
      DisplayAsCategory: flag,
      MappedTagIds: texts,
      IDMCategoryMapping: keyed(text),
      LTSTaggingInfo: object({ LTSRID: text, ParentLTSRID: text }),
    }),
  })

/** Returns the fields that state how to read the dataset. */
const access = (naming: Naming) => ({
  BaseUrl: note(text, 'Scheme and host; default: this service'),
  PathParam: note(texts, 'Segments of the path, such as v1 and Accommodation'),
  ApiFilter: note(texts, 'Parts of the query, such as source=lts'),
  ApiUrl: note(
    text,
    'The URL made of the three above; computed on every read for datasets of this service',
  ),
  ApiType: note(text, 'content or timeseries'),
  ApiAccess: note(keyed(text), 'Per source: open, reduced or closed'),
  Output: note(keyed(text), 'Formats of answers, by name'),
  SwaggerUrl: note(text, 'URL of the API reference of the dataset'),
  Type: note(kind, 'Type of the records, as in _Meta.Type'),
  [naming.datasetType]: text,
  CoordinateSource: object({ Type: note(text, 'GeoData or GpsInfo'), Field: text }),
})

/**
 * Defines the entity for metadata records of the datasets (interface 2.4). Reading them requires a
 * token in the strict profile (decision D33).
 */
export const metaData = (naming: Naming) =>
  defineEntity({
    name: 'MetaData',
    type: naming.metaDataType,
    summary: 'Metadata records of the datasets',
    idStyle: 'lower',
    titles: ['Shortname', 'ApiDescription.*'],
    order: [],
    needsToken: 'strict',
    furtherPaths: ['/v1'],
    computedFields: ['BaseUrl', 'ApiUrl', 'SwaggerUrl', 'RecordCount'],
    schema: recordSchema('TourismMetaData', {
      ApiDescription: perLanguage(description),
      MetaTitle: perLanguage(title),
      MetaDescription: perLanguage(description),
      ...access(naming),
      Dataspace: note(text, 'Such as tourism or mobility'),
      Category: texts,
      DataProvider: texts,
      Sources: texts,
      DatasetLicenses: texts,
      RecordCount: note(
        keyed(integer),
        'Number of records that are open, closed, and open with fields left out; counted on every read for datasets of this service',
      ),
      Deprecated: flag,
      ImageGallery: images,
      TagIds: tagIds,
      Tags: tags,
      [naming.tags]: links,
    }),
  })

/**
 * Defines the entity for origins of the data: every value that `Source` may have (interface 4.7).
 */
export const source = () =>
  defineEntity({
    name: 'Source',
    summary: 'Origins of the data',
    idStyle: 'lower',
    filters: sourceFilters,
    titles: ['Name.*', 'Id'],
    schema: recordSchema('Source', {
      Key: text,
      Name: perLanguage(name),
      Description: perLanguage(description),
      Url: text,
      Interfaces: texts,
      Types: note(texts, 'Types of the records from this source'),
      SyncDataConfig: list({ PathParam: texts, BaseUrl: text, SyncDataApiUrl: text }),
    }),
  })
