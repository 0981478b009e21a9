// Arrows point one way: main → cli → compose → app → features → foundations (docs/README.md has the
// way to the architecture). A rule that hurts is discussed, not bypassed.

const features =
  'catalogue|content|timeseries|push|traffic|access|quota|identity|demo|explorer|changes|exports|mirror|standards|ogc|sta|mcp|admin|alerts|operation|quality|backup'
const foundations =
  'sql|errors|config|lang|definitions|storage|http|observe|tally|async|datex|tables'
const tests = String.raw`\.test\.ts$`

const views = 'catalogue|dataset|record|timeseries|traffic|docs|desk'
/** What of the server also runs in the page. */
const runByPage = String.raw`^src/(lang/(json|paragraphs-of)|timeseries/where/(grammar|lexer)|content/rawfilter/(grammar|print)|explorer/page-paths|errors/catalogue)\.ts$`
const webFoundations = 'address|api|design|language|login|map|query|request|state'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one thing, or a third one is missing.',
      severity: 'error',
      // A component that draws itself, such as a tree, imports itself.
      from: { pathNot: String.raw`\.svelte$` },
      to: { circular: true },
    },
    {
      name: 'main-is-the-end',
      comment: 'Nothing imports the process; it would start.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'commands-only-from-main',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/main\\.ts$', '^src/cli/', tests] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'compose-only-from-above',
      comment: 'Only the process and its commands put the hub together.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/main\\.ts$', '^src/(cli|compose)/', tests] },
      to: { path: '^src/compose/' },
    },
    {
      name: 'app-only-from-above',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/main\\.ts$', '^src/(cli|compose)/', tests] },
      to: { path: '^src/app\\.ts$' },
    },
    {
      name: 'feature-through-its-index',
      comment: 'What a feature shows to others stands in its index.ts.',
      severity: 'error',
      from: { path: `^src/(${features})/` },
      to: { path: `^src/(${features})/`, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'feature-through-its-index-from-above',
      severity: 'error',
      from: { path: '^src/((main|app)\\.ts|(cli|compose)/)', pathNot: tests },
      to: { path: `^src/(${features})/`, pathNot: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'foundations-know-no-feature',
      severity: 'error',
      from: { path: `^src/(${foundations})/`, pathNot: ['^src/http/', tests] },
      to: { path: `^src/(${features})/` },
    },
    {
      name: 'http-knows-no-feature-but-access',
      comment: 'The exception: http finds out who asks and hands the principal on.',
      severity: 'error',
      from: { path: '^src/http/', pathNot: tests },
      to: { path: `^src/(${features})/`, pathNot: '^src/access/' },
    },
    {
      name: 'http-runs-no-access-code',
      comment:
        'Types, who asks and what they are told (pure); how tokens are checked is passed in.',
      severity: 'error',
      from: { path: '^src/http/', pathNot: tests },
      to: {
        path: '^src/access/',
        pathNot: '^src/access/(principal|require)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'driver-only-in-storage',
      comment: 'SQL goes through the sql tag and the Database of src/storage.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/storage/' },
      to: { path: '(^|/)node_modules/(pg|pg-[^/]+|@electric-sql/[^/]+|@types/pg)/' },
    },
    {
      name: 'src-stands-alone',
      comment: 'The program does not need its tests, benchmarks or scripts.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^(test|bench|scripts)/', tests] },
    },
    {
      name: 'src-without-development-packages',
      comment: 'npm ci --omit=dev must be enough to run. Types vanish before that.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-and-page-apart',
      comment: 'They meet at HTTP; only pure grammars are read by both.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'page-without-node',
      comment: 'What the page runs of the server has to run in a browser.',
      severity: 'error',
      from: { path: runByPage },
      to: { path: '^(node:|fs$|yaml)', reachable: true },
    },
    {
      name: 'page-reads-types',
      comment: 'Of everything else of the server the page knows types: what it answers.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: tests },
      to: { path: '^src/', pathNot: runByPage, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'views-apart',
      comment: 'A view stands on the foundations and knows no other view.',
      severity: 'error',
      from: { path: `^web/src/(${views})/` },
      to: { path: `^web/src/(${views}|shell)/`, pathNot: '^web/src/$1/' },
    },
    {
      name: 'web-foundations-know-no-view',
      severity: 'error',
      from: { path: `^web/src/(${webFoundations})/` },
      // What a dataset is asked is a language of its own, which filters and maps speak too.
      to: { path: `^web/src/(${views}|shell)/`, pathNot: '^web/src/dataset/query/' },
    },
    {
      name: 'declared-packages-only',
      severity: 'error',
      // Tests of the page run with those of the root, on its packages.
      from: { pathNot: '^web/.*\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable-imports-only',
      severity: 'error',
      from: {},
      // Made by Vite while it builds.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
