-- Webhooks of the change feed (docs/webhooks.md).
create table change_subscription (
  id uuid primary key default gen_random_uuid(),
  feed text not null,
  -- Names in `change` of what concerns the feed.
  datasets text[] not null,
  url text not null,
  -- Signs the notifications, so the hub needs it as it is and not as a hash.
  secret text not null,
  -- Whose rights apply: of the token that created the subscription.
  subject text not null,
  client text not null,
  name text not null,
  roles text[] not null,
  created timestamptz not null,
  state text not null default 'active' check (state in ('active', 'ended', 'failed')),
  -- All changes up to this place were examined; the time is that of the last offset, in milliseconds.
  xid xid8 not null,
  sequence bigint not null,
  time bigint not null,
  examined timestamptz not null,
  -- Stands for the rights and the epoch under which that happened.
  rights text not null,
  -- The notification that is to be delivered next, and under which identifier.
  delivery uuid,
  body text,
  attempts integer not null default 0,
  next_attempt timestamptz,
  last_attempt timestamptz,
  last_success timestamptz,
  last_status integer,
  last_error text,
  -- The node that works on it, by a token of that work, and since when.
  lease uuid,
  leased timestamptz,
  check ((body is null) = (delivery is null))
);

create index change_subscription_subject on change_subscription (subject);
