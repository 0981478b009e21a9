-- What an operator says about a stream; one without a row takes everything, in any order.
create table push_stream (
  -- provider/dataset
  stream text primary key,
  -- Whether its messages are worked on one after the other, in the order in which they came.
  is_ordered boolean not null default false,
  -- Days that its finished messages are kept; null: as HUB_PUSH_KEEP_DAYS says, 0: for ever.
  keep_days integer check (keep_days >= 0),
  -- Media types that it takes, in lower case; null: any, also none.
  media_types text[]
);

alter table message
  -- Headers of the request that say something about the body, by their names in lower case.
  add column headers jsonb not null default '{}',
  -- The body as it was received, where that is not `body` itself: packed, with Content-Encoding. The
  -- digest in sha256 is that of the bytes received.
  add column packed bytea;

-- The first answer to a request with Idempotency-Key, for the repetitions of it (decision D51).
create table push_key (
  sender text not null,
  stream text not null,
  key text not null,
  message uuid not null,
  -- Of the bytes received: a repetition has the same.
  sha256 bytea not null,
  created timestamptz not null,
  primary key (sender, stream, key)
);

create index push_key_created on push_key (created);

drop index message_waiting;

-- What waits for its first attempt, oldest first. Finished messages leave the index, so it stays small.
create index message_waiting on message (received, id)
  where state in ('accepted', 'processing') and reason is distinct from 'no pipeline' and attempts = 0;

-- What waits for another attempt, in the order of their times.
create index message_retry on message (not_before)
  where state in ('accepted', 'processing') and reason is distinct from 'no pipeline' and attempts > 0;

-- How much waits on each stream, and which message of a stream is the next.
create index message_stream_waiting on message (stream, received, id)
  where state in ('accepted', 'processing') and reason is distinct from 'no pipeline';

-- What an operator has to look at.
create index message_dead on message (stream, received) where state = 'dead';
