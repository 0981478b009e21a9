-- What makes tokens worthless before their time, and where a browser may go after logging out.

-- Access tokens are believed by their signature until they expire; an entry here ends them earlier.
create table identity_revocation (
  -- A token by `jti`, a session by `sid`, all tokens of a user (`sub`), client (`azp`) or key (`kid`).
  kind text not null check (kind in ('token', 'session', 'user', 'client', 'key')),
  id text not null,
  -- Of a user or client: tokens issued later are good again.
  ended timestamptz not null,
  -- From then on every token that the entry could be about has expired.
  expires timestamptz not null,
  primary key (kind, id)
);
create index identity_revocation_expires on identity_revocation (expires);

-- Addresses for logging out, besides the redirect URIs.
alter table identity_client add column logout_uris text[] not null default '{}';

-- Ending the sessions of a user or client finds them by who they belong to.
create index identity_state_account on identity_state ((payload ->> 'accountId'));
create index identity_state_client on identity_state ((payload ->> 'clientId'));
