export { absoluteAddress } from './described-request.ts'
export type { DescribedRequest, Method } from './described-request.ts'
export { default as RequestPanel } from './RequestPanel.svelte'
export { toCurl, toJavascript, toPython } from './snippets.ts'
