import { catalogue } from '../src/errors/index.ts'
import type { ErrorCode } from '../src/errors/index.ts'

type Phase = ErrorCode extends `HUB-${infer Name}-${string}` ? Name : never

/** Chapters, in the order in which a request can fail. A phase without a title does not compile. */
const phases: Readonly<Record<Phase, string>> = {
  RTE: 'Routing',
  QRY: 'Reading the request',
  BDY: 'Reading the body',
  GEO: 'Converting files',
  ACC: 'Access',
  QTA: 'Quotas',
  SRV: 'The hub itself',
  WEB: 'The Explorer',
  OPR: 'Operation',
  CHG: 'Change feeds',
}

const introduction = `# Errors

<!-- Generated from src/errors/catalogue.json by \`npm run docs\`. Change it there. -->

Error responses are problem details (RFC 9457, \`application/problem+json\`). \`errorCode\` is one of the codes below,
whose meaning never changes. \`detail\` states what was wrong with this request, \`errors\` where, and \`hint\` what to
do. Below \`/auth\` errors have \`error\` and \`error_description\` instead (RFC 6749, section 5.2).
`

/** Returns the documentation page of all error codes, as Markdown, with one chapter per phase. */
export function errorsPage(): string {
  const chapters = Object.entries(phases).map(([phase, title]) => {
    const entries = Object.entries(catalogue).filter(([code]) => code.startsWith(`HUB-${phase}-`))
    const sections = entries.map(
      ([code, entry]) =>
        `### ${code}\n\n**${String(entry.status)} ${entry.title}.** ${entry.explanation}\n`,
    )
    return `## ${title}\n\n${sections.join('\n')}`
  })
  return [introduction, ...chapters].join('\n')
}
