// The mirror: keeps a copy of another hub's records by its exports and change feeds.
//
// Each feed is followed by itself:
//
//   begin ──► load the files of its export ──► read the feed from the export's offset ──► follow it
//     ▲            (no export: offset -1)                                                    │
//     └───────────────── 410: the offset is outdated, a new list begins ◄────────────────────┘
//
// What has been applied, and the offset after it, is the progress of a feed. It is kept with its records:
//
// - In PostgreSQL, records and progress are written in one transaction.
// - In a folder, records are appended to a log first, then the progress replaces the one before, with the length of
//   the log that counts. What was appended after it is cut off at the next start.
//
// So a mirror that is killed at any moment continues where it was: feeds are read at least once, and messages are
// idempotent. Of two mirrors with the same target, the one that began later continues; the other one notices that
// before it writes, and ends.
//
// A list that begins again has a new generation. Records of the generations before it are removed when the list
// has been read whole and the feed is up to date, in one step with the progress, so a reader of the copy never
// misses a record that exists.
//
// remote.ts       requests to the hub, repeated until they succeed (patience.ts)
// download.ts     files of exports, in parts
// messages.ts     messages in pages and files, as the hub wrote them
// copy.ts         what a target does: folder-copy.ts (compact-log.ts), database-copy.ts
// follow-feed.ts  one feed, step by step
// run-mirror.ts   all feeds: a few wait at the hub, the others are polled in turn
export { openDatabaseCopy } from './database-copy.ts'
export { openFolderCopy } from './folder-copy.ts'
export { runMirror } from './run-mirror.ts'
