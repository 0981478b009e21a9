import type { DescribedRequest } from './described-request.ts'

/** What a program does with the body of an answer. */
export type BodyKind = 'json' | 'text' | 'bytes'

/** What `format=` names and is not one document of JSON. */
const formats: Readonly<Record<string, BodyKind>> = {
  csv: 'text',
  ndjson: 'text',
  arrow: 'bytes',
  parquet: 'bytes',
}

/** How the answer is read: by the format that the address names, else by the type that is requested. */
export function bodyKindOf({ query, accept }: DescribedRequest): BodyKind {
  const named = query?.['format']
  if (named !== undefined && named !== '') return formats[String(named)] ?? 'json'
  const [type = ''] = (accept ?? 'application/json').toLowerCase().split(/[,;]/)
  return kindOfType(type.trim())
}

function kindOfType(type: string): BodyKind {
  if (type === '' || type === '*/*' || /^[^/]+\/([^/]+\+)?json$/.test(type)) return 'json'
  // JSON in lines is not a document of JSON.
  const isText = /^text\/|[/+]xml$|^application\/(x-)?(ndjson|jsonl)$/.test(type)
  return isText ? 'text' : 'bytes'
}
