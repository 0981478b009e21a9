// The mirror: keeps a copy of another hub's records by its exports and change feeds.
//
// Each feed is followed on its own:
//
//   begin ──► load the files of its export ──► read the feed from the export's offset ──► follow it
//     ▲            (no export: offset -1)                                                    │
//     └───────────────── 410: the offset is outdated, a new list starts ◄────────────────────┘
//
// The progress of a feed is what has been applied and the offset after it. It is stored together
// with the records:
//
// - In PostgreSQL, records and progress are written in one transaction.
// - In a folder, records are first appended to a log. Then the new progress, with the valid length
//   of the log, replaces the previous one. At the next start, the log is cut to that length.
//
// So a mirror that is killed at any moment continues where it was: feeds are read at least once,
// and messages are idempotent. Of two mirrors with the same target, the one that started later
// continues; the other one notices this before it writes, and ends.
//
// A list that starts again has a new generation. Records of earlier generations are removed when
// the list has been read completely and the feed is up to date, in one step with the progress, so a
// reader of the copy never misses a record that exists.
//
// remote.ts       requests to the hub, repeated until they succeed (patience.ts)
// messages.ts     messages in pages and files, as the hub wrote them
// copy.ts         interface of a target: folder-copy.ts, database-copy.ts
// follow-feed.ts  one feed, step by step, and the files of its export
// run-mirror.ts   all feeds: a few wait at the hub, the others are polled in turn
export { openDatabaseCopy } from './database-copy.ts'
export { openFolderCopy } from './folder-copy.ts'
export { runMirror } from './run-mirror.ts'
