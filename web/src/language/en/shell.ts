export const shell = {
  skip: 'Skip to the content',
  main: 'Main',
  catalogue: 'Catalogue',
  series: 'Time series',
  traffic: 'Traffic',
  docs: 'Docs',
  language: 'Language',
  theme: 'Appearance',
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  logIn: 'Log in',
  logOut: 'Log out',
  account: (name: string) => `Logged in as ${name}`,
  notFound: {
    title: 'Nothing at this address',
    body: 'There is no such page. Perhaps the address was cut when it was copied. Begin with the catalogue, or look at the docs.',
  },
  broken: {
    title: 'The page broke',
    body: 'This is a fault of the page, not yours. Load it again; if it stays, tell the operator what you did and what is written below.',
    again: 'Load again',
  },
  missing: 'This view could not be loaded',
  toCatalogue: 'To the catalogue',
  footer: {
    label: 'About this hub',
    version: (version: string) => `Hub ${version}`,
    description: 'Open data of the region, by one address.',
    api: 'OpenAPI document',
    health: 'How the hub is',
    quota: 'Your quota',
    licence: 'Software: Apache License 2.0',
  },
}

export type ShellMessages = typeof shell
