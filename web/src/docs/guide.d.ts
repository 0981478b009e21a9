/** Modules that `web/build/guide` generates from the Markdown in `docs/`. */
declare module 'virtual:guide' {
  export const contents: readonly import('../../build/guide/guide-page.ts').GuideEntry[]
  export const loadPage: Readonly<
    Record<
      string,
      () => Promise<{ readonly page: import('../../build/guide/guide-page.ts').GuidePage }>
    >
  >
}

declare module 'virtual:guide/sections' {
  export const sections: readonly import('../../build/guide/guide-page.ts').Section[]
}
