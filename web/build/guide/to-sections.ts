import type { GuidePage, Section } from './guide-page.ts'

/** The pieces of a page that can be found: what stands before the first heading, and under each. */
export function toSections({ slug, title, blocks }: GuidePage): readonly Section[] {
  const sections: { id: string; title: string; texts: string[] }[] = [{ id: '', title, texts: [] }]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ id: block.heading.id, title: block.heading.text, texts: [] })
    } else {
      sections.at(-1)?.texts.push(block.kind === 'code' ? block.text : withoutMarks(block.html))
    }
  }
  return sections.map(({ id, title: heading, texts }) => ({
    ...{ slug, page: title, id, title: heading },
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }))
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
}

function withoutMarks(html: string): string {
  return html
    .replaceAll(/<\/(td|th|p|li|tr)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
}
