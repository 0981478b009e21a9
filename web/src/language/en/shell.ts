export const shell = {
  skip: 'Skip to the content',
  main: 'Main',
  catalogue: 'Catalogue',
  series: 'Time series',
  traffic: 'Traffic',
  docs: 'Docs',
  language: 'Language',
  theme: 'Appearance',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  logIn: 'Log in',
  logOut: 'Log out',
  account: (name: string) => `Logged in as ${name}`,
  notFound: {
    title: 'Nothing at this address',
    body: 'This page does not exist. The address may have been cut off when it was copied. Start with the catalogue or the docs.',
  },
  broken: {
    title: 'The page failed',
    body: 'This is a fault of the page. Load it again; if it still fails, tell the operator what you did and send the text below.',
    again: 'Load again',
  },
  missing: 'This view could not be loaded',
  toCatalogue: 'To the catalogue',
  footer: {
    label: 'About this hub',
    version: (version: string) => `Hub ${version}`,
    description: 'Open data of the region, at one address.',
    api: 'OpenAPI document',
    health: 'Hub status',
    quota: 'Your quota',
    licence: 'Software: Apache License 2.0',
  },
}

export type ShellMessages = typeof shell
