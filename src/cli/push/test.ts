import { Command } from 'commander'
import { previewDeps } from '../../compose/index.ts'
import { loadSampled, previewer, runSamples } from '../../push/index.ts'
import type { SampleResult } from '../../push/index.ts'
import { prepare } from '../context.ts'
import type { Context } from '../context.ts'
import type { MakeCommand } from '../make-command.ts'

type Options = { readonly update?: true }

export const testCommand: MakeCommand = (context, setExitCode) =>
  new Command('test')
    .description('Map the samples beside mappings, and compare them with what is expected')
    .argument('<folder>', 'of a mapping, or of mappings')
    .option('--update', 'write what they become as what is expected')
    .addHelpText(
      'after',
      '\nA sample is samples/<case>.<any ending>, and samples/<case>.expected.json what it becomes.' +
        '\nNeeds no database. Exit code 1 when something is different, or there is no sample.',
    )
    .action(async (folder: string, { update }: Options) => {
      const results = await run(context, folder, update === true ? 'write' : 'compare')
      for (const { name, outcome, differences } of results) {
        context.print(`${name}: ${outcome}`)
        for (const line of differences) context.print(`  ${line}`)
      }
      const different = results.filter(({ outcome }) => outcome === 'different')
      context.print(
        `${String(results.length)} samples, ${String(different.length)} are not as expected.`,
      )
      setExitCode(different.length > 0 || results.length === 0 ? 1 : 0)
    })

async function run(
  context: Context,
  folder: string,
  aim: 'compare' | 'write',
): Promise<readonly SampleResult[]> {
  const { config, surroundings } = prepare(context, 'quiet')
  const sampled = await loadSampled(folder)
  const mappings = sampled.map(({ mapping }) => mapping)
  const { preview, close } = previewer(mappings, previewDeps(config, surroundings))
  try {
    const results: SampleResult[] = []
    for (const one of sampled) results.push(...(await runSamples(one, { preview, aim })))
    return results
  } finally {
    await close()
  }
}
