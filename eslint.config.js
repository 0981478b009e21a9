import svelte from 'eslint-plugin-svelte'
import tseslint from 'typescript-eslint'
import {
  classSyntax,
  clockSyntax,
  focusSyntax,
  parameterSyntax,
  passedIn,
  styleSyntax,
} from './house-style.config.js'
import { pageConfig } from './web/page-lint.config.js'

// What lint can hold of the house style. Each list below names the few files that may do what all
// others may not; extend a list with a reason, never with a comment inside the code: inline
// directives are off (`noInlineConfig`).

/** Each is the start of a process: the only readers of its environment and arguments, the only ones to end it. */
const programs = [
  'src/main.ts',
  'src/storage/embedded/server-process.ts',
  'src/push/mappings/runner/evaluate-mappings.ts',
]

/** Where clock, randomness and network are handed out, so that everything else takes them as parameters. */
const compositionRoots = ['src/main.ts', 'src/compose/**', 'src/cli/**']

/** Classes that stand for a lifetime, or that callers recognise by `instanceof`. */
const classes = [
  'src/sql/index.ts',
  'src/errors/index.ts',
  'src/config/index.ts',
  'src/definitions/faults.ts',
  'src/lang/cursor.ts',
  'src/push/backlog.ts',
  'src/push/mappings/decode/text.ts',
  'src/push/mappings/faults.ts',
  'src/push/queue/push-thread.ts',
  'src/quota/shared-counters.ts',
  'src/async/index.ts',
  'src/traffic/feed.ts',
  'src/storage/to-database.ts',
  'src/storage/transaction.ts',
  'src/storage/embedded/*.ts',
  '**/*.d.ts', // what a library declares
]

/** Configuration files of tools, whose form the tool decides. */
const toolConfigs = [
  '*.config.{js,ts}',
  'web/*.config.{js,ts}',
  '.dependency-cruiser.js',
  'scripts/test-times.ts', // a reporter of vitest
  'scripts/eslint-rules.js', // a plugin of Oxlint
]

const tests = ['**/*.test.ts', 'test/**']

const ownedByMain = 'belongs to src/main.ts; take what you need as a parameter.'

const processProperties = ['env', 'argv', 'exit', 'exitCode'].map((property) => ({
  object: 'process',
  property,
  message: `process.${property} ${ownedByMain}`,
}))

const chanceProperties = [
  { object: 'Date', property: 'now', message: `The clock ${passedIn}` },
  { object: 'Math', property: 'random', message: `Randomness ${passedIn}` },
]

const mockProperties = ['mock', 'doMock', 'hoisted'].map((property) => ({
  object: 'vi',
  property,
  message: 'No module mocks: pass a fake clock, HTTP client or key as a parameter.',
}))

/** bin/ is JavaScript, because every Node can read it. */
const relativeWithoutExtension = {
  regex: String.raw`^\.{1,2}/(?!.*(\.(ts|json)|/bin/[\w-]+\.js)$)`,
  message: 'Imports end in .ts: that is the file that runs.',
}

const processModule = {
  group: ['process', 'node:process'],
  message: `process ${ownedByMain}`,
}

const databaseDriver = {
  group: ['pg', 'pg-*', '@electric-sql/*'],
  message: 'Only src/storage knows the database driver; use its Database.',
}

export default tseslint.config(
  {
    ignores: ['node_modules/', 'data/', 'dist/', 'coverage/', 'web/dist/'],
  },
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [tseslint.configs.strictTypeChecked],
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `const { Self: _self, ...members }` is how a member is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Fastify plugins and fakes are async by contract, also where nothing is awaited.
      '@typescript-eslint/require-await': 'off',
      // `query<Shape>` names what a statement selects; no other place could say it.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['**/*.{ts,js,svelte}'],
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-cond-assign': 'error',
      'no-constant-binary-expression': 'error',
      'no-else-return': 'error',
      'no-empty': 'error',
      'no-irregular-whitespace': 'error',
      'no-misleading-character-class': 'error',
      'no-param-reassign': 'error',
      'no-promise-executor-return': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'no-useless-rename': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', { name: 'fetch', message: `The network ${passedIn}` }],
      'no-restricted-imports': [
        'error',
        { patterns: [relativeWithoutExtension, processModule, databaseDriver] },
      ],
      'no-restricted-properties': ['error', ...processProperties, ...chanceProperties],
      'no-restricted-syntax': ['error', classSyntax, clockSyntax, ...styleSyntax],
    },
  },
  {
    files: ['src/storage/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [relativeWithoutExtension, processModule] }],
    },
  },
  {
    files: classes,
    rules: { 'no-restricted-syntax': ['error', clockSyntax, ...styleSyntax] },
  },
  {
    files: compositionRoots,
    rules: {
      'no-console': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-properties': ['error', ...processProperties],
      'no-restricted-syntax': ['error', classSyntax, ...styleSyntax],
    },
  },
  {
    files: programs,
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: tests,
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': ['error', { patterns: [relativeWithoutExtension] }],
      'no-restricted-properties': ['error', ...mockProperties],
      'no-restricted-syntax': ['error', parameterSyntax, focusSyntax],
      // Tests hand in what the types forbid, to see it refused, and read answers of unknown shape.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['test/**', 'bench/**', 'scripts/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [relativeWithoutExtension] }],
    },
  },
  {
    files: ['bench/**', 'scripts/**'],
    ignores: tests,
    rules: { 'no-restricted-syntax': ['error', ...styleSyntax] },
  },
  ...pageConfig({ classSyntax, styleSyntax }),
  {
    files: toolConfigs,
    rules: { 'no-restricted-exports': 'off' },
  },
)
