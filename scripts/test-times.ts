import type { Reporter, TestModule } from 'vitest/node'

type Span = { first: number; last: number; files: number }

const slowest = 10
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/**
 * A reporter of vitest that prints the slowest files of a run, and how long each project took from
 * start to end.
 */
export default class TestTimes implements Reporter {
  readonly #spans = new Map<string, Span>()
  readonly #starts = new Map<string, number>()
  readonly #files: { readonly name: string; readonly took: number }[] = []

  onTestModuleStart({ id, project }: TestModule): void {
    const now = Date.now()
    this.#starts.set(id, now)
    const span = this.#spans.get(project.name)
    if (span === undefined) this.#spans.set(project.name, { first: now, last: now, files: 0 })
  }

  onTestModuleEnd({ id, project, relativeModuleId }: TestModule): void {
    const now = Date.now()
    this.#files.push({ name: relativeModuleId, took: now - (this.#starts.get(id) ?? now) })
    const span = this.#spans.get(project.name)
    if (span === undefined) return
    span.last = now
    span.files += 1
  }

  onTestRunEnd(): void {
    const files = this.#files.toSorted((a, b) => b.took - a.took).slice(0, slowest)
    console.log('\nSlowest files:')
    for (const { name, took } of files) console.log(`${seconds(took).padStart(9)}  ${name}`)
    console.log('Wall time by project:')
    for (const [name, { first, last, files: count }] of this.#spans)
      console.log(`${seconds(last - first).padStart(9)}  ${name}, ${String(count)} files`)
  }
}
