export { offerLogin, session, startSession } from './session.svelte.ts'
export type { SessionState } from './session.svelte.ts'
