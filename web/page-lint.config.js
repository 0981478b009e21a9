import svelteParser from 'svelte-eslint-parser'
import tseslint from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

const relativeWithExtension = {
  regex: String.raw`^\.{1,2}/(?!.*\.(ts|js|json|css|svg|svelte)$)`,
  message: 'Imports end in .ts or .svelte: that is the file that runs.',
}

/** Components of other files are known to Svelte only, not to this parser: `types-web` checks them. */
const unknownToLint = ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
  `@typescript-eslint/no-unsafe-${what}`,
  'off',
])

/** What files of the page need that are not all its files. */
const exceptions = [
  {
    // Its library marks logins without https as deprecated, so that they stand out; here they do.
    files: ['web/src/login/provider.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    // A declaration of modules that are made by the build cannot import by relative names.
    files: ['web/src/docs/guide.d.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Its HTML is made of the project's own Markdown when the page is built.
    files: ['web/src/docs/guide/GuideText.svelte'],
    rules: { 'svelte/no-at-html-tags': 'off' },
  },
]

/** What lint holds of the page beside the rules of all code; `house` has those that it extends. */
export const pageConfig = ({ classSyntax, styleSyntax }) => [
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
    rules: {
      // To read something is how an effect hears of it: `void attempt`.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // What is reactive is said by `$state`; a plain map or date is plain on purpose.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    // The page is where its clock, its network and its console are; what is pure takes them as parameters.
    files: ['web/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [relativeWithExtension] }],
      'no-restricted-syntax': ['error', classSyntax, ...styleSyntax],
    },
  },
  {
    // A class to recognise by `instanceof`, and one for a lifetime.
    files: [
      'web/src/api/failure.ts',
      'web/src/api/cache.ts',
      'web/src/dataset/records/page-loader.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...styleSyntax] },
  },
  {
    files: ['web/**/*.svelte'],
    languageOptions: { parser: svelteParser },
    rules: {
      ...Object.fromEntries(unknownToLint),
      // What bindings and bindables need `let` for.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      // Svelte checks it itself, and knows more.
      'no-undef': 'off',
      // For links of SvelteKit, which this is not.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  ...exceptions,
]
