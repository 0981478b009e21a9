let title = $state('Hub')

/** What the page as a whole is called; the hub says so in its settings. */
export const site = {
  get title(): string {
    return title
  },
  set title(next: string) {
    title = next
  },
}
