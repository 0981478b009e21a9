/** The guide: which files it is made of, and in which order they are read. */
type Chapter = {
  readonly group: 'find' | 'build' | 'provide' | 'run' | 'project'
  readonly slug: string
  /** From the root of the repository. */
  readonly file: string
}

const docs = (group: Chapter['group'], slugs: readonly string[]): readonly Chapter[] =>
  slugs.map((slug) => ({ group, slug, file: `docs/${slug}.md` }))

export const chapters: readonly Chapter[] = [
  { group: 'find', slug: 'first-hour', file: 'README.md' },
  ...docs('find', [
    ...[
      'content-queries',
      'content-search',
      'content-formats',
      'time-series',
      'ogc-features',
      'sensorthings',
      'change-feed',
      'exports',
      'traffic-feed',
      'gbfs',
      'datex3',
    ],
    ...['content-utilities', 'content-availability', 'content-metadata', 'catalogue'],
  ]),
  ...docs('build', [
    ...['mcp', 'webhooks', 'quotas', 'token-service', 'closed-data', 'content-deprecations'],
  ]),
  ...docs('provide', [
    ...['push', 'push-formats', 'push-mappings-guide', 'push-mappings', 'content-writes'],
    'quality',
  ]),
  ...docs('run', [
    ...['configuration', 'access', 'operation', 'backup', 'alerts', 'mirror'],
    ...['embedded-database', 'performance'],
  ]),
  { group: 'project', slug: 'contributing', file: 'CONTRIBUTING.md' },
  ...docs('project', ['dependencies']),
  { group: 'project', slug: 'changelog', file: 'CHANGELOG.md' },
]

/** Files that the page shows in another way, with the address of that. */
export const elsewhere: Readonly<Record<string, string>> = {
  'docs/README.md': '/docs',
  'docs/errors.md': '/docs/errors',
}
