import { styleFaults } from './style-faults.ts'
import { loadTrackedFiles } from './tracked-files.ts'

const faults = (await loadTrackedFiles()).flatMap(styleFaults)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0
