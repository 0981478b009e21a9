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
}

export type DesignMessages = typeof design
