import { builtinRules } from 'eslint/use-at-your-own-risk'

/** All ESLint rules as a plugin of Oxlint. oxlint.config.ts lists those that it uses. */
export default {
  meta: { name: 'eslint-rules' },
  rules: Object.fromEntries(builtinRules),
}
