export {
  address,
  change,
  go,
  guardLeaving,
  startAddress,
  focusHeading,
  parameter,
} from './address.svelte.ts'
export type { How, Parameter } from './address.svelte.ts'
export { choice, flag, numbers, text, texts } from './codecs.ts'
export type { Codec } from './codecs.ts'
export { isEmbedded } from './embedded.ts'
export { fragmentOf, matchPath, pathOf, givePathParts, pathParts } from './match.ts'
export type { PathParameters } from './match.ts'
