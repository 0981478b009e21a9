-- Alerts (docs/alerts.md): what the rules of HUB_ALERTS found, and what is told to whom.

-- One row for each rule and subject as long as its condition holds, and until its end has been told.
create table alert (
  rule text not null,
  subject text not null,
  value double precision not null,
  -- Since when the condition holds.
  since timestamptz not null,
  -- When a node last found it so.
  seen timestamptz not null,
  -- Since when it has held for long enough; null: not yet.
  fired timestamptz,
  -- When the receivers were last told.
  told timestamptz,
  acknowledged timestamptz,
  acknowledged_by text,
  primary key (rule, subject)
);

create table alert_silence (
  rule text primary key,
  until timestamptz not null,
  by_whom text not null
);

-- What is on its way to a receiver.
create table alert_notice (
  id uuid primary key,
  rule text not null,
  subject text not null,
  receiver text not null,
  state text not null check (state in ('firing', 'resolved')),
  text text not null,
  made timestamptz not null,
  attempts integer not null default 0,
  next_attempt timestamptz not null,
  last_error text
);

create index alert_notice_next on alert_notice (next_attempt);

-- The node that looks at what all nodes see alike.
create table alert_watch (
  only_row boolean primary key default true check (only_row),
  node text not null,
  until timestamptz not null
);
