import type { Group } from './records.ts'
import { anchorOf } from './tell-deprecated.ts'

/** The table of deprecations for people: what the links in headers lead to. */
export function deprecationsPage(groups: readonly Group[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Deprecations</title>
<style>
  body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid }
  :target { background: Highlight; color: HighlightText }
</style>
<h1>Deprecations</h1>
<p>What is deprecated is still served, and may go after the day in the last column. What is removed is neither stored nor served.</p>
${groups.map(toSection).join('\n')}
<p><a href="/docs">Documentation of the hub</a></p>
</html>
`
}

function toSection({ name, rows }: Group): string {
  const lines = rows.map(
    ({ row, record }) => `<tr id="${escaped(anchorOf(row))}">
  <td><code>${escaped(record.Name)}</code></td><td>${escaped(record.Type)}</td><td>${row.state}</td>
  <td>${escaped(record.Description)}</td><td>${record.DeprecationDate}</td><td>${record.RemovedAfter}</td></tr>`,
  )
  return `<h2>${escaped(name)}</h2>
<table>
<tr><th>Name</th><th>Type</th><th>State</th><th>Instead</th><th>Deprecated</th><th>May go after</th></tr>
${lines.join('\n')}
</table>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
