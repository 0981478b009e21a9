import { loadExplorer } from '../api/index.ts'
import { site } from '../design/site.svelte.ts'
import { language, zone } from '../language/index.ts'
import { offerLogin } from '../login/index.ts'
import { publicUrl } from '../request/public-url.svelte.ts'

/** Sets the document's language, and what the settings of the hub say: title, address, zone, login. */
export function applySettings(): void {
  $effect(() => {
    document.documentElement.lang = language.current
  })
  $effect(() => {
    loadExplorer().then(
      ({ title, publicUrl: url, timeZone, login }) => {
        site.title = title
        zone.region = timeZone
        publicUrl.current = url
        offerLogin(login)
      },
      // The view that is shown meets the same failure, and says so.
      () => undefined,
    )
  })
}
