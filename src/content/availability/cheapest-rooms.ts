/** A room that may be taken `free` times. */
export type PricedRoom = {
  readonly free: number
  /** For each of the rooms asked for, in cents; undefined where this room does not fit. */
  readonly prices: readonly (number | undefined)[]
}

/** For each of the rooms asked for the index of the room that it becomes. */
export type Combination = { readonly total: number; readonly rooms: readonly number[] }

/**
 * The cheapest way to give each of the rooms asked for a room of its own (reference content.md 8.3); none
 * is taken more often than it is free. This is the assignment problem: to take the cheapest room for one
 * after the other is not always the cheapest for all. Solved by shortest augmenting paths, so exactly.
 * @param wanted how many rooms are asked for
 * @returns undefined when they cannot all be had
 */
export function cheapestRooms(
  rooms: readonly PricedRoom[],
  wanted: number,
): Combination | undefined {
  const taken: number[] = []
  for (let seq = 0; seq < wanted; seq++) {
    const path = cheapestPath(rooms, taken, seq)
    if (path === undefined) return undefined
    for (const { seq: mover, room } of path) taken[mover] = room
  }
  const total = taken.reduce((sum, room, seq) => sum + (rooms[room]?.prices[seq] ?? 0), 0)
  return { total, rooms: taken }
}

type Move = { readonly seq: number; readonly room: number }

/** How a room is reached: who takes it then, and what all moves up to there cost together. */
type Reached = { readonly by: number; readonly cost: number }

/**
 * The moves that give one more a room at the least cost: it takes a room, whoever had that one takes
 * another, and so on until a room is reached that is still free (Bellman and Ford).
 */
function cheapestPath(
  rooms: readonly PricedRoom[],
  taken: readonly number[],
  seq: number,
): readonly Move[] | undefined {
  const reached: (Reached | undefined)[] = rooms.map(() => undefined)
  let isShorter = relax(rooms, reached, { seq, cost: 0 })
  while (isShorter) {
    isShorter = false
    for (const [mover, room] of taken.entries()) {
      const there = reached[room]
      if (there === undefined) continue
      const cost = there.cost - (rooms[room]?.prices[mover] ?? 0)
      isShorter = relax(rooms, reached, { seq: mover, cost }) || isShorter
    }
  }
  const end = cheapestFree(rooms, taken, reached)
  return end === undefined ? undefined : movesTo(end, reached, { taken, seq })
}

/** Whether a room is reached at a lower cost when this one takes it. */
function relax(
  rooms: readonly PricedRoom[],
  reached: (Reached | undefined)[],
  { seq, cost }: { readonly seq: number; readonly cost: number },
): boolean {
  let isShorter = false
  for (const [index, { prices }] of rooms.entries()) {
    const price = prices[seq]
    if (price === undefined || cost + price >= (reached[index]?.cost ?? Infinity)) continue
    reached[index] = { by: seq, cost: cost + price }
    isShorter = true
  }
  return isShorter
}

function cheapestFree(
  rooms: readonly PricedRoom[],
  taken: readonly number[],
  reached: readonly (Reached | undefined)[],
): number | undefined {
  let best: number | undefined
  for (const [index, { free }] of rooms.entries()) {
    const cost = reached[index]?.cost
    if (cost === undefined || taken.filter((room) => room === index).length >= free) continue
    if (best === undefined || cost < (reached[best]?.cost ?? Infinity)) best = index
  }
  return best
}

/** Back from the free room to the one that had none. */
function movesTo(
  end: number,
  reached: readonly (Reached | undefined)[],
  { taken, seq }: { readonly taken: readonly number[]; readonly seq: number },
): readonly Move[] {
  const moves: Move[] = []
  let room: number | undefined = end
  while (room !== undefined) {
    const by: number = reached[room]?.by ?? seq
    moves.push({ seq: by, room })
    room = by === seq ? undefined : taken[by]
  }
  return moves
}
