let count = 0

/** Counts the views that were shown since the page was loaded. */
export const steps = {
  isLater: (): boolean => {
    count += 1
    return count > 1
  },
}
