export const design = {
  close: 'Close',
  remove: (name: string) => `Remove ${name}`,
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Select and copy it yourself',
  nothingFound: 'Nothing found',
  chosen: (names: string) => `Chosen: ${names}`,
  showAll: 'Show all',
  youAreHere: 'You are here',
  zone: {
    label: 'Time zone',
    region: (name: string) => `Region (${name})`,
    utc: 'UTC',
    browser: (name: string) => `Yours (${name})`,
  },
}

export type DesignMessages = typeof design
