/** Does one thing after the other, in the order in which they are asked for. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A queue of its own. What fails, fails for the one who asked for it; the next one has its turn. */
export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}
