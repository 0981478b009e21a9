import { describe, expect, it } from 'vitest'
import { styleFaults } from './style-faults.ts'

/**
 * Joins a word from parts. Written in one piece, it would break the very rule that this file tests.
 */
const spelled = (...parts: readonly string[]) => parts.join('')

const faultsOf = (path: string, text = '') => styleFaults({ path, text })

describe('style faults', () => {
  it('finds none in a file that follows the style', () => {
    expect(faultsOf('src/sql/load-rows.ts', 'export async function loadRows() {}\n')).toEqual([])
  })

  it('finds a file or folder that is not in kebab-case', () => {
    expect(faultsOf('src/loadRows.ts')).toHaveLength(1)
    expect(faultsOf('src/Sql/rows.ts')).toHaveLength(1)
    expect(faultsOf('src/rows.db.test.ts')).toEqual([])
  })

  it('finds catch-all names of folders and files', () => {
    expect(faultsOf('src/utils/rows.ts')).toHaveLength(1)
    expect(faultsOf('src/http/helpers.ts')).toHaveLength(1)
  })

  it('finds SQL files that are too long', () => {
    expect(faultsOf('migrations/0001-content.sql', '\n'.repeat(249))).toEqual([])
    expect(faultsOf('migrations/0001-content.sql', '\n'.repeat(400))).toHaveLength(1)
  })

  it('finds unfinished work and reports its line', () => {
    expect(faultsOf('docs/a.md', spelled('one\n// TO', 'DO: two'))).toEqual([
      'docs/a.md:2: finish it, or open an issue',
    ])
  })

  it('finds packages that are imported after files of the project', () => {
    const own = "import { a } from './a.ts'\n"
    const other = "import type {\n  B,\n} from 'b'\n"
    expect(faultsOf('src/sql/rows.ts', other + own)).toEqual([])
    expect(faultsOf('src/sql/rows.ts', own + other)).toHaveLength(1)
  })

  it('finds lint directives, because exceptions belong in the configuration', () => {
    expect(faultsOf('src/sql/rows.ts', spelled('// eslint-dis', 'able-next-line'))).toHaveLength(1)
    expect(faultsOf('src/sql/rows.ts', spelled('/* oxlint-dis', 'able */'))).toHaveLength(1)
  })

  it('finds paths that exist on one machine only, but not inside URLs and other paths', () => {
    expect(faultsOf('docs/a.md', spelled('see `/ro', 'ot/x`'))).toHaveLength(1)
    expect(faultsOf('docs/a.md', spelled("'/ho", "me/me'"))).toHaveLength(1)
    expect(
      faultsOf('docs/a.md', 'https://example.org/work/x and ../home/y and {id}/root/z'),
    ).toEqual([])
  })

  it('finds hosts of package registries', () => {
    expect(faultsOf('package-lock.json', spelled('https://registry.', 'npmjs.org/x'))).toHaveLength(
      1,
    )
  })

  it('ignores recorded responses', () => {
    expect(faultsOf('test/fixtures/Answer_1.json', spelled('"TO', 'DO"'))).toEqual([])
  })
})
