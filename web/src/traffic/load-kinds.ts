import { readJson } from '../api/index.ts'
import { language } from '../language/index.ts'
import { textIn } from './events/event.ts'
import type { Texts } from './events/event.ts'

type Tags = {
  readonly Items: readonly { readonly Id: string; readonly TagName: Texts | null }[]
}

/** How kinds of events are called, by their names in tags. */
export type KindNames = ReadonlyMap<string, Texts>

export async function loadKinds(signal: AbortSignal): Promise<KindNames> {
  const query = { validforentity: 'announcement', fields: 'Id,TagName', pagesize: 1000 }
  const { Items } = await readJson<Tags>('/v1/Tag', query, signal)
  return new Map(Items.map(({ Id, TagName }) => [Id.replace(/^traffic-event:/, ''), TagName ?? {}]))
}

/** The name of a kind in the language of the page; what nobody has named is called by its tag. */
export function nameOf(kind: string, names: KindNames | undefined): string {
  const named = textIn(names?.get(kind) ?? {}, language.current)
  if (named !== '') return named
  const words = kind.replaceAll(/[-_:]+/g, ' ').trim()
  return words === '' ? '–' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
