export { makerOf, readStored, withMade } from './make-on-read.ts'
export type { Maker } from './make-on-read.ts'
export type { Mobility } from './mobility.ts'
export { registerDatasets } from './register-datasets.ts'
