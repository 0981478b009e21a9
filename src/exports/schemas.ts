import { Type } from 'typebox'
import { exactly, orNull, problem } from '../lang/schemas.ts'

const tags = ['Changes']

const described = {
  dataset: Type.String({ description: 'Name of a feed at GET /changes' }),
  madeAt: Type.String({ format: 'date-time' }),
  count: Type.Integer({ description: 'Records' }),
}

export const exportsOperation = {
  operationId: 'listExports',
  summary: 'Exports of the public data as files: a copy of each dataset, to continue with its feed',
  description: 'They contain what callers without a token see.',
  tags,
  response: {
    200: exactly({
      exports: Type.Array(
        exactly({
          ...described,
          description: Type.String(),
          url: Type.String({ description: 'Address of its manifest' }),
        }),
      ),
    }),
  },
}

const dataset = Type.String({
  maxLength: 300,
  examples: ['Event'],
  description: 'dataset of GET /exports',
})

export const manifestOperation = {
  operationId: 'getExport',
  summary: 'The files of an export, and the offset at which its feed continues',
  description:
    'Load all files of one format, then follow feed from offset: no change is missing. What changed while the export was made may be in both.',
  tags,
  params: Type.Object({ dataset }),
  response: {
    200: exactly({
      ...described,
      feed: Type.String({ description: 'Address of the feed' }),
      offset: Type.String({ description: 'Where the feed continues, read without parameters' }),
      licence: orNull(
        Type.String({ description: 'Licences of the records, the most frequent first' }),
      ),
      schema: Type.String({ description: 'Schema of a line' }),
      files: Type.Array(
        exactly({
          url: Type.String(),
          format: Type.Enum(['ndjson.gz', 'parquet'], {
            description:
              'A message of the feed on each line, compressed; or a table of the same records',
          }),
          bytes: Type.Integer(),
          sha256: Type.String({ description: 'In hexadecimal digits' }),
          count: Type.Integer({ description: 'Records in this file' }),
        }),
      ),
    }),
    404: problem,
  },
}

const bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
const content = {
  'application/gzip': { schema: bytes },
  'application/vnd.apache.parquet': { schema: bytes },
}

export const fileOperation = {
  operationId: 'getExportFile',
  summary: 'A file of an export; parts of it by Range',
  description:
    'The content behind an address never changes. A day after it was replaced it is gone.',
  tags,
  params: Type.Object({
    dataset,
    file: Type.String({ maxLength: 200, description: 'As in url of a manifest' }),
  }),
  response: {
    200: { description: 'The file', content },
    206: { description: 'The requested part', content },
    404: problem,
    416: problem,
  },
}
