import { Marked } from 'marked'
import type { Token, Tokens } from 'marked'
import type { Block, GuidePage } from './guide-page.ts'
import { anchors } from './to-anchor.ts'
import { toHref } from './to-href.ts'

type Source = { readonly slug: string; readonly file: string; readonly markdown: string }

/** A file of the guide as pieces of the page. */
export function toPage({ slug, file, markdown }: Source): GuidePage {
  const marked = new Marked({ renderer: rendererFor(file) })
  const anchorOf = anchors()
  const blocks: Block[] = []
  let title = slug
  let prose: Token[] = []
  const flush = () => {
    const html = framed(marked.parser(prose).trim())
    if (html !== '') blocks.push({ kind: 'html', html })
    prose = []
  }
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token) && token.depth === 1) title = token.text
    else if (isHeading(token)) {
      flush()
      const text = plain(token.text)
      const heading = { level: token.depth, id: anchorOf(text), text }
      blocks.push({
        kind: 'heading',
        heading,
        html: marked.Parser.parseInline(token.tokens, marked.defaults),
      })
    } else if (isCode(token)) {
      flush()
      blocks.push(toCode(token))
    } else prose = [...prose, token]
  }
  flush()
  return { slug, title, blocks }
}

/** Wide tables scroll in frames of their own, which the keyboard reaches. */
function framed(html: string): string {
  return html
    .replaceAll(
      '<table>',
      '<div class="frame" role="group" aria-label="Table" tabindex="0"><table>',
    )
    .replaceAll('</table>', '</table></div>')
}

/** `sh not tried: needs a file of yours` says why. */
function toCode({ lang = '', text }: Tokens.Code): Block {
  const [language = '', ...rest] = lang.split(' ')
  const reason = /^not tried: (?<reason>.+)$/.exec(rest.join(' '))?.groups?.['reason']
  return { kind: 'code', language, text, untried: reason }
}

function rendererFor(file: string) {
  return {
    // Comments are for those who write; other markup is not used.
    html: () => '',
    link(
      this: { parser: { parseInline: (tokens: Token[]) => string } },
      { href, tokens }: Tokens.Link,
    ) {
      const text = this.parser.parseInline(tokens)
      const target = toHref(href, file)
      if (target === undefined) return text
      const isOutside = /^https?:/.test(target)
      const rel = isOutside ? ' rel="noopener noreferrer"' : ''
      const arrow = isOutside ? '<span aria-hidden="true">&#8202;↗</span>' : ''
      return `<a href="${escaped(target)}"${rel}>${text}${arrow}</a>`
    },
  }
}

/** Without its marks: the text of a heading. */
function plain(markdown: string): string {
  return markdown.replaceAll(/`([^`]*)`/g, '$1').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code'
}
