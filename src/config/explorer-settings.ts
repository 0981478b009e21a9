import { Type } from 'typebox'

/** What the Explorer, the page of the hub, shows and asks. */
export const explorerSettings = {
  HUB_TITLE: Type.String({
    default: 'Hub',
    minLength: 1,
    maxLength: 60,
    description: 'What the hub is called on its page, and by portals that harvest its catalogue.',
  }),
  HUB_EXPLORER_CLIENT: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Id of the public client by which people log in on the page; its redirect URI is `{HUB_PUBLIC_URL}/login/done`. Without it nobody can, but in the demo, where it is `hub-explorer`. See docs/token-service.md.',
    }),
  ),
  HUB_MAP_TILES: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]*\\{z\\}[^\\s]*$',
      description:
        'Template of the background tiles of maps, such as `https://tiles.example/{z}/{x}/{y}.png`. Browsers fetch them from there. Without it the shapes of the hub are the background, and nobody outside is asked.',
    }),
  ),
  HUB_MAP_ATTRIBUTION: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Whom to name for those tiles, as their licence wants it; plain text.',
    }),
  ),
}
