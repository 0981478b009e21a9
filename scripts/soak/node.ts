import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/fixtures/free-port.ts'
import type { DatabaseSettings } from '../../test/fixtures/database-settings.ts'
import { startHub } from '../../test/fixtures/hub-process.ts'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'

const clock = fileURLToPath(new URL('clock.ts', import.meta.url))
const signals = { 'in order': 'SIGTERM', 'at once': 'SIGKILL' } as const

/** A hub whose URL stays the same, whatever happens to its process. */
export class Node {
  readonly url: string
  readonly #settings: DatabaseSettings
  readonly #clock: string
  #hub: HubProcess | undefined
  #away: 'in order' | 'at once' | undefined

  private constructor(settings: DatabaseSettings, port: number) {
    this.#settings = settings
    this.url = `http://127.0.0.1:${String(port)}`
    this.#clock = join(mkdtempSync(join(tmpdir(), 'hub-soak-clock-')), 'difference')
    this.setClock(0)
  }

  static async start(settings: DatabaseSettings): Promise<Node> {
    const node = new Node(settings, await freePort())
    await node.resume()
    return node
  }

  get hub(): HubProcess {
    if (this.#hub === undefined) throw new Error('The hub was not started')
    return this.#hub
  }

  /** How the process was ended, until it runs again. */
  get away(): 'in order' | 'at once' | undefined {
    return this.#away
  }

  /** Shifts the hub's clock from that of the machine. */
  setClock(milliseconds: number): void {
    writeFileSync(this.#clock, String(milliseconds))
  }

  async end(how: keyof typeof signals): Promise<void> {
    this.#away = how
    this.hub.process.kill(signals[how])
    await this.hub.ended
  }

  async resume(): Promise<void> {
    this.#hub = await startHub({
      settings: this.#settings,
      port: Number(new URL(this.url).port),
      environment: {
        HUB_LOG_LEVEL: 'fatal',
        // Both hubs have the same public URL, so that each accepts tokens issued by the other.
        HUB_PUBLIC_URL: 'http://soak.test',
        NODE_OPTIONS: `--import ${clock}`,
        SOAK_CLOCK: this.#clock,
      },
    })
    this.#away = undefined
  }
}
