import tseslint from 'typescript-eslint'

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
  'src/sql/sql.ts',
  'src/errors/app-error.ts',
  'src/config/load-config.ts',
  'src/lang/syntax-error.ts',
  'src/http/early/early-connection.ts',
  'src/push/backlog.ts',
  'src/push/mappings/decode/fault.ts',
  'src/push/mappings/faults.ts',
  'src/push/queue/worker.ts',
  'src/push/thread/push-thread.ts',
  'src/quota/shared-counters.ts',
  'src/traffic/feed.ts',
  'src/traffic/versions.ts',
  'src/storage/held-connection.ts',
  'src/storage/embedded/*.ts',
  '**/*.d.ts', // what a library declares
]

/** Configuration files of tools, whose form the tool decides. */
const toolConfigs = ['*.config.{js,ts}', '.dependency-cruiser.js']

const tests = ['**/*.test.ts', 'test/**']

const passedIn = 'comes in as a parameter, so that tests decide it; src/compose hands it out.'
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

const relativeWithoutExtension = {
  regex: String.raw`^\.{1,2}/(?!.*\.(ts|json)$)`,
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

const classSyntax = {
  selector: ':matches(ClassDeclaration, ClassExpression)',
  message: 'Functions, not classes; a lifetime is entered in `classes` of eslint.config.js.',
}

const clockSyntax = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: `The clock ${passedIn}`,
}

/** Callbacks and methods are left alone: a library that calls them decides what they get. */
const ownFunctions =
  ':matches(FunctionDeclaration, VariableDeclarator > ArrowFunctionExpression)[params.length>3]'

const parameterSyntax = {
  selector: ownFunctions,
  message: 'Three parameters at most, then an object: a call with four cannot be read.',
}

const styleSyntax = [
  parameterSyntax,
  {
    selector: ':not(TSModuleBlock) > TSInterfaceDeclaration',
    message: 'A `type`; an interface only where it extends the one of a library.',
  },
  {
    selector:
      'FunctionDeclaration > Identifier.params[typeAnnotation.typeAnnotation.type="TSBooleanKeyword"]',
    message:
      'No boolean parameters: a call cannot say what `true` means. Take a word or two functions.',
  },
  {
    selector: 'CatchClause > BlockStatement > ReturnStatement > Literal[raw="null"]',
    message: 'A catch that returns null hides the fault: translate it, or let it pass.',
  },
]

const focusSyntax = {
  selector:
    'CallExpression > MemberExpression[object.name=/^(it|test|describe)$/][property.name="only"]',
  message: 'A focused test silences all others.',
}

export default tseslint.config(
  { ignores: ['node_modules/', 'data/', 'dist/', 'coverage/', 'web/'] },
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['**/*.ts'],
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
    files: ['**/*.{ts,js}'],
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 250 }],
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
  {
    files: toolConfigs,
    rules: { 'no-restricted-exports': 'off' },
  },
)
