import { Type } from 'typebox'
import { quantity } from './quantity.ts'

/** What is pushed, and what becomes of it: how much at once, how long it is kept. */
export const pushSettings = {
  HUB_PUSH_BODY_LIMIT: quantity('B', {
    default: 10_485_760,
    minimum: 1024,
    maximum: 1_073_741_824,
    description: 'Size that one pushed message may have, unpacked.',
  }),
  HUB_MAPPINGS: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of the mappings that tell how the messages of streams are understood (docs/push-mappings.md). Without it only the canonical formats are.',
    }),
  ),
  HUB_MAPPING_MEMORY: quantity('MiB', {
    default: 256,
    minimum: 64,
    maximum: 65_536,
    description:
      'Memory that the process which evaluates mappings may have; a message that needs more is rejected.',
  }),
  HUB_PUSH_WORKERS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 32,
    description:
      'Pushed messages that one process works on at a time, each over a database connection of its own; the embedded database allows one. 0: it accepts them and leaves the work to other processes.',
  }),
  HUB_PUSH_QUEUE_LIMIT: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Pushed messages that may wait; while more do, further ones are answered 503.',
  }),
  HUB_PUSH_DISK: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A folder on the disk of the PostgreSQL database, where it can be seen from here. The disk of the embedded database is known.',
    }),
  ),
  HUB_PUSH_DISK_RESERVE: quantity('MiB', {
    default: 256,
    minimum: 0,
    maximum: 1_048_576,
    description:
      'Room that must be left on that disk; while there is less, pushes are answered 503.',
  }),
  HUB_PUSH_KEEP_DAYS: quantity('d', {
    default: 365,
    minimum: 0,
    maximum: 36_500,
    description:
      'Time that pushed messages are kept after they are done, for streams that say nothing themselves (`hub push stream`). 0: for ever.',
  }),
  HUB_PUSH_UNREAD_DAYS: quantity('d', {
    default: 90,
    minimum: 0,
    maximum: 36_500,
    description:
      'Time that messages are kept which nothing reads, because their stream has no mapping, for streams that say nothing themselves. 0: for ever.',
  }),
  HUB_PUSH_UNREAD_LIMIT: quantity('MiB', {
    default: 1024,
    minimum: 0,
    maximum: 1_048_576,
    description:
      'Size of all messages that nothing reads; of more, the oldest are deleted. 0: any.',
  }),
  HUB_PUSH_STATION_WAIT: quantity('s', {
    default: 900,
    minimum: 0,
    maximum: 86_400,
    description:
      'Time for which a message is tried again whose stations or data types are not known yet; what is known of it is stored at once. Not for streams that are worked on strictly in their order. 0: it is rejected at once.',
  }),
  HUB_PUSH_PATIENCE: quantity('s', {
    default: 30,
    minimum: 1,
    maximum: 3600,
    description: 'Time that may pass without a byte of a body before it is given up, with 408.',
  }),
}
