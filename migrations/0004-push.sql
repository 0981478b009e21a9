-- Every pushed message as it came, and what became of it (decisions D51 and D53). This table is the
-- log: nothing is acknowledged that is not committed here, and everything stored can be replayed.
create table message (
  id uuid primary key,
  -- provider/dataset, as in the path
  stream text not null,
  received timestamptz not null,
  -- the client that sent it
  sender text not null,
  -- whether the sender may set the transaction time of its data (role ADMIN)
  may_backdate boolean not null,
  content_type text,
  body bytea not null,
  sha256 bytea not null,
  state text not null default 'accepted'
    check (state in ('accepted', 'processing', 'visible', 'rejected', 'dead')),
  -- why it is in this state, where the state alone does not say it
  reason text,
  attempts integer not null default 0,
  -- not to be worked on before this time: the lease of a worker, or the pause before a retry
  not_before timestamptz not null default '-infinity',
  started timestamptz,
  finished timestamptz,
  stored integer not null default 0,
  -- [{"index", "reason", "pointer"?, "line"?}]
  rejected jsonb not null default '[]'
);

-- What is waiting, oldest first; finished messages leave the index, so it stays small.
create index message_waiting on message (received, id)
  where state in ('accepted', 'processing') and reason is distinct from 'no pipeline';

-- Replay and listings go by stream and time.
create index message_stream on message (stream, received);
