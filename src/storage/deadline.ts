/** The outcome of `work`, or a rejection with `late()` when it takes longer than so many milliseconds. */
export async function deadline<Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const overrun = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late())
    }, milliseconds)
  })
  try {
    return await Promise.race([work, overrun])
  } finally {
    clearTimeout(timer)
  }
}
